-- flakeid: what ALTER EXTENSION flakeid UPDATE does to version 1.0.

-- complain if this script is sourced in psql instead of by ALTER EXTENSION
\echo Use "ALTER EXTENSION flakeid UPDATE" to load this file. \quit
