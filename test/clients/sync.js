// What a tool that compares a schema with the models finds to do, and again after it has
// done it: sync.js drizzle MODEL.js, sync.js prisma SCHEMA CONFIG.  030_clients.pl runs it.

const { readFileSync } = require('fs')
const { resolve } = require('path')

// What "drizzle-kit push" does, and "drizzle-kit generate" after a migration of these models.
async function drizzle(model) {
  const { Pool } = require('pg')
  const { drizzle } = require('drizzle-orm/node-postgres')
  const { generateDrizzleJson, generateMigration, pushSchema } = require('drizzle-kit/api')
  const models = require(resolve(model))
  const pool = new Pool()
  const said = process.stdout.write

  process.stdout.write = () => true    // a progress bar
  const found = []
  for (let i = 0; i < 2; i++) {
    const push = await pushSchema(models, drizzle({ client: pool }), ['public'])
    found.push([push.hasDataLoss, push.warnings, push.statementsToExecute.map(statement => statement.replace(/\s*\(?\n[^]*/, ''))])
    await push.apply()
  }
  process.stdout.write = said
  found.forEach(push => console.log(JSON.stringify(push)))
  console.log(JSON.stringify(await generateMigration(generateDrizzleJson(models), generateDrizzleJson(models))))
  await pool.end()
}

// What "prisma db push" does, without and with the configuration, and "prisma db pull": by
// Prisma's own schema engine, in the form that npm has of it.  The programs of Prisma take
// another form, which they fetch from elsewhere.
async function prisma(schema, config) {
  const { PrismaPg } = require('@prisma/adapter-pg')
  const { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } = require('@prisma/driver-adapter-utils')
  const { loadConfigFromFile } = require('@prisma/config')
  const engine = await import(resolve(require.resolve('@prisma/schema-engine-wasm/schema_engine_bg')))
  const wasm = resolve(require.resolve('@prisma/schema-engine-wasm/schema_engine_bg'), '../schema_engine_bg.wasm')
  const { instance } = await WebAssembly.instantiate(readFileSync(wasm), { './schema_engine_bg.js': engine })

  // The adapter does not know "char", which the catalogs have and no client asks for.
  class Adapter extends PrismaPg {
    async connect() {
      const adapter = await super.connect()
      const performIO = adapter.performIO.bind(adapter), queryRaw = adapter.queryRaw.bind(adapter)
      let isChar
      adapter.performIO = async query => {
        const result = await performIO(query)
        isChar = result.fields.map(field => field.dataTypeID === 18)
        for (const field of result.fields) if (field.dataTypeID === 18) field.dataTypeID = 25
        return result
      }
      adapter.queryRaw = async query => {
        const result = await queryRaw(query)
        result.columnTypes = result.columnTypes.map((type, i) => isChar[i] ? ColumnTypeEnum.Character : type)
        return result
      }
      return adapter
    }
  }

  engine.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  const content = readFileSync(schema, 'utf8')
  const files = [{ path: schema, content }]
  const { config: { tables, enums } } = await loadConfigFromFile({ configFile: config })
  const it = await engine.SchemaEngine.new({ datamodels: [[schema, content]] }, () => {}, bindMigrationAwareSqlAdapterFactory(new Adapter({})))
  for (const external of [[], tables.external]) {
    const filters = { externalTables: external, externalEnums: enums?.external ?? [] }
    console.log(JSON.stringify(await it.schemaPush({ force: false, schema: { files }, filters })))
  }
  const pulled = await it.introspect({ schema: { files }, baseDirectoryPath: '/', force: false, compositeTypeDepth: -1, namespaces: null })
  console.log(pulled.schema.files[0].content.match(/Unsupported.*?\)/g).join(' '))
}

({ drizzle, prisma })[process.argv[2]](...process.argv.slice(3))
