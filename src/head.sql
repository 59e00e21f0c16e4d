-- flakeid: sortable IDs as PostgreSQL types.  Joined from src/*.sql by make.

-- complain if this script is sourced in psql instead of by CREATE EXTENSION
\echo Use "CREATE EXTENSION flakeid" to load this file. \quit

