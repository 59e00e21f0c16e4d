/*
 * kinds.c
 *		The kinds of random schedules: what happens in each, and how often.
 */
#include "schedule.h"

const Kind	kinds[] = {
	{
		.name = "clock", .databases = 1, .partitions = 2, .events_in_100 = 12,
		.weight = {[EV_TICK] = 10, [EV_FORWARD] = 3, [EV_BACK] = 8, [EV_BACK_FAR] = 4,
		[EV_EXIT] = 1, [EV_STALL] = 3, [EV_LOOK] = 1},
	},
	{
		.name = "ahead", .databases = 1, .partitions = 2, .events_in_100 = 14,
		.weight = {[EV_TICK] = 6, [EV_FORWARD] = 6, [EV_BACK] = 4, [EV_BACK_FAR] = 8,
		[EV_EXIT] = 1, [EV_STALL] = 4},
	},
	{
		.name = "crash", .databases = 2, .partitions = 2, .events_in_100 = 12,
		.weight = {[EV_TICK] = 10, [EV_FORWARD] = 4, [EV_BACK] = 6, [EV_BACK_FAR] = 4, [EV_CRASH] = 5,
		[EV_EXIT] = 1, [EV_STALL] = 3, [EV_FLUSH] = 1, [EV_LOOK] = 1},
	},
	{
		.name = "failover", .databases = 2, .partitions = 2, .events_in_100 = 12,
		.weight = {[EV_TICK] = 10, [EV_FORWARD] = 4, [EV_BACK] = 6, [EV_BACK_FAR] = 4, [EV_PROMOTE] = 4,
		[EV_CRASH] = 1, [EV_EXIT] = 1, [EV_STALL] = 3, [EV_FLUSH] = 1, [EV_LOOK] = 2},
	},
	{
		.name = "pages", .databases = 2, .partitions = 16, .events_in_100 = 14,
		.weight = {[EV_TICK] = 10, [EV_FORWARD] = 2, [EV_JUMP] = 3, [EV_BACK] = 6, [EV_BACK_FAR] = 2, [EV_UNJUMP] = 4,
		[EV_RESET] = 5, [EV_CRASH] = 1, [EV_EXIT] = 1, [EV_STALL] = 4},
	},
	{
		.name = "pool", .databases = 1, .partitions = 2, .events_in_100 = 10,
		.small_pools = true,
		.weight = {[EV_TICK] = 12, [EV_FORWARD] = 2, [EV_BACK] = 6, [EV_BACK_FAR] = 2, [EV_CRASH] = 1,
		[EV_EXIT] = 1, [EV_INTERRUPT] = 2, [EV_STALL] = 3},
	},
	{
		.name = "frozen", .databases = 2, .partitions = 3, .events_in_100 = 10,
		.small_pools = true, .frozen = true, .small_limits = true,
		.weight = {[EV_TICK] = 4, [EV_FORWARD] = 1, [EV_BACK] = 4, [EV_BACK_FAR] = 2, [EV_CRASH] = 1,
		[EV_EXIT] = 1, [EV_INTERRUPT] = 4, [EV_STALL] = 2},
	},
	{
		.name = "databases", .databases = 3, .partitions = 2, .events_in_100 = 12,
		.weight = {[EV_TICK] = 10, [EV_FORWARD] = 3, [EV_BACK] = 6, [EV_BACK_FAR] = 4, [EV_CRASH] = 1,
		[EV_EXIT] = 4, [EV_STALL] = 3, [EV_ADVANCE] = 1, [EV_LOOK] = 1},
	},
	{
		.name = "ddl", .databases = 2, .partitions = 2, .events_in_100 = 14,
		.weight = {[EV_TICK] = 8, [EV_FORWARD] = 3, [EV_BACK] = 6, [EV_BACK_FAR] = 3, [EV_CRASH] = 3,
		[EV_DDL] = 8, [EV_EXIT] = 1, [EV_STALL] = 3},
	},
	{
		.name = "transaction", .databases = 2, .partitions = 2, .events_in_100 = 16,
		.weight = {[EV_TICK] = 8, [EV_FORWARD] = 3, [EV_BACK] = 4, [EV_BACK_FAR] = 3, [EV_CRASH] = 2,
			[EV_TRANSACTION] = 14, [EV_DDL] = 2, [EV_ADVANCE] = 4, [EV_INTERRUPT] = 1, [EV_EXIT] = 1,
		[EV_STALL] = 3},
	},
	{
		.name = "restore", .databases = 2, .partitions = 2, .events_in_100 = 12,
		.weight = {[EV_TICK] = 10, [EV_FORWARD] = 3, [EV_BACK] = 6, [EV_BACK_FAR] = 3, [EV_CRASH] = 2,
		[EV_RESTORE] = 4, [EV_ADVANCE] = 3, [EV_FOREIGN] = 2, [EV_EXIT] = 1, [EV_STALL] = 3, [EV_LOOK] = 3},
	},
	{
		.name = "reset", .databases = 3, .partitions = 2, .events_in_100 = 14,
		.weight = {[EV_TICK] = 8, [EV_FORWARD] = 3, [EV_JUMP] = 4, [EV_BACK] = 4, [EV_BACK_FAR] = 2,
		[EV_UNJUMP] = 5, [EV_CRASH] = 1, [EV_RESET] = 6, [EV_EXIT] = 1, [EV_STALL] = 3, [EV_LOOK] = 1},
	},
	{
		.name = "intervals", .databases = 2, .partitions = 2, .events_in_100 = 18, .intervals = true, .failures = true,
		.weight = {[EV_TICK] = 8, [EV_FORWARD] = 3, [EV_JUMP] = 5, [EV_BACK] = 3, [EV_BACK_FAR] = 1, [EV_UNJUMP] = 6,
			[EV_CRASH] = 2, [EV_PROMOTE] = 1, [EV_RESET] = 8, [EV_ADVANCE] = 3, [EV_EXIT] = 1, [EV_STALL] = 3,
		[EV_LOOK] = 1},
	},
	{
		.name = "mended", .databases = 1, .partitions = 4, .events_in_100 = 10,
		.mended = true,
		.weight = {[EV_TICK] = 12, [EV_FORWARD] = 1, [EV_JUMP] = 2, [EV_BACK] = 2, [EV_EXIT] = 1,
		[EV_STALL] = 6},
	},
	{
		.name = "numbers", .databases = 2, .partitions = 3, .events_in_100 = 16, .numbers = true,
		.weight = {[EV_TICK] = 8, [EV_FORWARD] = 2, [EV_BACK] = 4, [EV_BACK_FAR] = 2, [EV_CRASH] = 1, [EV_RESET] = 1,
		[EV_RELOAD] = 3, [EV_SET] = 10, [EV_EXIT] = 2, [EV_STALL] = 3},
	},
	{
		.name = "dropped", .databases = 4, .partitions = 4, .events_in_100 = 20,
		.weight = {[EV_TICK] = 5, [EV_FORWARD] = 5, [EV_BACK] = 2, [EV_BACK_FAR] = 1, [EV_EXIT] = 6, [EV_STORM] = 6,
		[EV_DATABASE] = 12, [EV_ADVANCE] = 1, [EV_DDL] = 1, [EV_CRASH] = 1, [EV_STALL] = 4},
	},
	{
		.name = "island", .databases = 3, .partitions = 2, .events_in_100 = 20, .island = true,
		.weight = {[EV_TICK] = 10, [EV_FORWARD] = 2, [EV_ADVANCE] = 6, [EV_RESTORE] = 3, [EV_RESET] = 3, [EV_DDL] = 3,
			[EV_TRANSACTION] = 3, [EV_FOREIGN] = 2, [EV_INTERRUPT] = 2, [EV_EXIT] = 4, [EV_STORM] = 2, [EV_STALL] = 3,
		[EV_DATABASE] = 1},
	},
	{
		.name = "failures", .databases = 2, .partitions = 2, .events_in_100 = 14, .failures = true,
		.weight = {[EV_TICK] = 8, [EV_FORWARD] = 6, [EV_BACK] = 5, [EV_BACK_FAR] = 5, [EV_CRASH] = 2, [EV_DDL] = 1,
		[EV_RESTORE] = 2, [EV_ADVANCE] = 2, [EV_RESET] = 1, [EV_INTERRUPT] = 3, [EV_EXIT] = 1, [EV_STALL] = 3},
	},
	{
		.name = "cut-off", .databases = 2, .partitions = 2, .events_in_100 = 14, .failures = true,
		.weight = {[EV_TICK] = 8, [EV_FORWARD] = 3, [EV_JUMP] = 4, [EV_BACK] = 2, [EV_UNJUMP] = 5, [EV_CRASH] = 1,
		[EV_RESET] = 8, [EV_EXIT] = 1, [EV_STALL] = 3},
	},
	{
		.name = "horizon", .databases = 2, .partitions = 2, .events_in_100 = 8, .feeds = true,
		.weight = {[EV_TICK] = 16, [EV_FORWARD] = 3, [EV_JUMP] = 1, [EV_BACK] = 4, [EV_BACK_FAR] = 2, [EV_CRASH] = 2,
		[EV_EXIT] = 1, [EV_STALL] = 6, [EV_INTERRUPT] = 1},
	},
	{
		.name = "sequences", .databases = 2, .partitions = 2, .events_in_100 = 8, .feeds = true, .draws = true,
		.weight = {[EV_TICK] = 16, [EV_FORWARD] = 3, [EV_JUMP] = 1, [EV_BACK] = 4, [EV_BACK_FAR] = 2, [EV_CRASH] = 2,
		[EV_EXIT] = 1, [EV_STALL] = 6, [EV_INTERRUPT] = 1},
	},
	{
		.name = "everything", .databases = 3, .partitions = 5, .events_in_100 = 14,
		.weight = {[EV_TICK] = 16, [EV_FORWARD] = 4, [EV_JUMP] = 1, [EV_BACK] = 8, [EV_BACK_FAR] = 4,
			[EV_UNJUMP] = 1, [EV_CRASH] = 2, [EV_PROMOTE] = 1, [EV_DDL] = 2, [EV_TRANSACTION] = 2, [EV_RELOAD] = 2,
			[EV_RESTORE] = 1, [EV_ADVANCE] = 1, [EV_RESET] = 1, [EV_EXIT] = 2, [EV_INTERRUPT] = 2,
		[EV_STALL] = 4, [EV_LOOK] = 1, [EV_FLUSH] = 1, [EV_FOREIGN] = 1, [EV_STORM] = 1, [EV_DATABASE] = 1},
	},
};

const size_t kinds_count = lengthof(kinds);
