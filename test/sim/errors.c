/*
 * errors.c
 *		Faults, which end a schedule; the trace of a schedule; and the errors that
 *		the library reports.
 */
#include "server.h"

#include <stdarg.h>

bool		sim_tracing;
char		sim_failure[400];
jmp_buf		sim_failed;

/* ---------- faults and the trace ---------- */

void
sim_fault(const char *format,...)
{
	va_list		args;
	int			length = 0;

	if (self != NULL)
		length = snprintf(sim_failure, sizeof(sim_failure), "backend %d: ", self->index);
	va_start(args, format);
	vsnprintf(sim_failure + length, sizeof(sim_failure) - length, format, args);
	va_end(args);
	trace("FAULT: %s", sim_failure);
	self = NULL;
	_longjmp(sim_failed, 1);
}

void
trace(const char *format,...)
{
	va_list		args;

	if (!sim_tracing)
		return;
	if (self != NULL)
		printf("# %*s%d: ", self->index * 2, "", self->index);
	else
		printf("# ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
}

/* ---------- errors ---------- */

int
errcode(int sqlstate)
{
	self->sqlstate = sqlstate;
	return 0;
}

int
errmsg(const char *format,...)
{
	va_list		args;

	if (!sim_tracing && self->sqlstate != ERRCODE_INTERNAL_ERROR)
		return 0;
	va_start(args, format);
	vsnprintf(self->message, sizeof(self->message), format, args);
	va_end(args);
	return 0;
}

int
errdetail(const char *format pg_attribute_unused(),...)
{
	return 0;
}

int
errhint(const char *format pg_attribute_unused(),...)
{
	return 0;
}

int
errhidestmt(bool hide pg_attribute_unused())
{
	return 0;
}

void
sim_report(int level)
{
	trace("%s: %s", level >= ERROR ? "ERROR" : "LOG", self->message);
	no_lwlock_held("reported");
}

void
sim_throw(void)
{
	_longjmp(*self->process.exception_stack, 1);
}
