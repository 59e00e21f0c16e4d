# flakeid for Nix, of this checkout, before nixpkgs has it:
#
#   services.postgresql.extensions = ps: [ (ps.callPackage /path/to/packaging/nix/flakeid.nix { }) ];
#
# For nixpkgs (pkgs/servers/sql/postgresql/ext/flakeid.nix) only src is another one: the
# release's archive, by fetchzip with its hash.
{
  lib,
  postgresql,
  postgresqlBuildExtension,
  src ? lib.cleanSource ../..,
}:

postgresqlBuildExtension {
  pname = "flakeid";
  version = "1.0.0";

  inherit src;

  meta = {
    description = "Time conditions on uuid v7, ULID and bigint keys; sortable IDs that are never issued twice; feeds by ID";
    homepage = "https://flakeid.example/flakeid";
    license = lib.licenses.postgresql;
    platforms = lib.platforms.linux;
    broken = lib.versionOlder postgresql.version "15";
  };
}
