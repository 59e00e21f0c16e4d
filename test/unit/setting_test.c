/*
 * setting_test.c
 *		The texts of settings: numbers, ranges and lists by database.
 */
#include "flake.h"
#include "tap.h"

static void
numbers(void)
{
	static const struct
	{
		const char *text;
		bool		good;
		int32_t		number;
	}			cases[] = {
		{"0", true, 0}, {"-1", true, -1}, {"7", true, 7}, {"65535", true, 65535},
		{"65536", false, 0}, {"-2", false, 0}, {"", false, 0}, {"-", false, 0}, {"-0", false, 0},
		{"00", false, 0}, {"010", false, 0}, {"10.6", false, 0}, {"0x10", false, 0}, {"1e3", false, 0},
		{"7 ", false, 0}, {" 7", false, 0}, {"+7", false, 0}, {"11 apples", false, 0},
		{"4294967297", false, 0}, {"99999999999999999999999999", false, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		int32_t		number = 4711;
		bool		good = flake_read_int(cases[i].text, -1, 65535, &number);

		check_int(good, cases[i].good, "\"%s\" is good", cases[i].text);
		check_int(number, cases[i].good ? cases[i].number : 4711, "\"%s\"", cases[i].text);
	}
	conclude("whole numbers in decimal, within their bounds");
}

static void
ranges(void)
{
	static const struct
	{
		const char *text;
		uint32_t	least;
		bool		good;
		uint32_t	low;
		uint32_t	high;
	}			cases[] = {
		{"0-65535", 6, true, 0, 65535}, {"100-105", 6, true, 100, 105}, {"100-104", 6, false, 0, 0},
		{"5-5", 1, true, 5, 5}, {"0-0", 1, true, 0, 0}, {"0-65536", 1, false, 0, 0}, {"199-100", 1, false, 0, 0},
		{"", 1, false, 0, 0}, {"100", 1, false, 0, 0}, {"100-", 1, false, 0, 0}, {"-100", 1, false, 0, 0},
		{"-5-10", 1, false, 0, 0}, {"1-2-3", 1, false, 0, 0}, {"1 - 9", 1, false, 0, 0},
		{"0-99999999999999999999", 1, false, 0, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		uint32_t	low = 4711;
		uint32_t	high = 4712;
		bool		good = flake_read_range(cases[i].text, 65535, cases[i].least, &low, &high);

		check_int(good, cases[i].good, "\"%s\" is good", cases[i].text);
		check_int(low, cases[i].good ? cases[i].low : 4711, "\"%s\": low", cases[i].text);
		check_int(high, cases[i].good ? cases[i].high : 4712, "\"%s\": high", cases[i].text);
	}
	conclude("ranges, within their bounds and wide enough");
}

/* A list as one text: [database]=value and so on, or the fault and what it is about. */
static void
read_into(const char *text, char *shown, size_t size)
{
	static const char *const faults[] = {
		[FLAKE_LIST_UNCLOSED] = "unclosed", [FLAKE_LIST_GARBLED] = "garbled", [FLAKE_LIST_NO_NAME] = "no name",
		[FLAKE_LIST_NO_VALUE] = "no value", [FLAKE_LIST_EMPTY] = "empty", [FLAKE_LIST_TWICE] = "twice",
		[FLAKE_LIST_TWO_DEFAULTS] = "two defaults",
	};

	/*
	 * no more than is promised to be enough, so that a sanitizer sees what is
	 * beyond
	 */
	FlakeListEntry *entries = malloc(flake_list_length(text) * sizeof(FlakeListEntry));
	char	   *room = malloc(strlen(text) + 1);
	size_t		length;
	const char *wrong = "";
	FlakeListFault fault = flake_read_list(text, room, entries, &length, &wrong);
	size_t		at = 0;

	shown[0] = '\0';
	if (fault != FLAKE_LIST_OK)
		snprintf(shown, size, "%s: %s", faults[fault], wrong);
	for (size_t i = 0; i < length && fault == FLAKE_LIST_OK && at < size; i++)
		at += (size_t) snprintf(shown + at, size - at, "[%s]=%s;",
								entries[i].database != NULL ? entries[i].database : "", entries[i].value);
	free(room);
	free(entries);
}

static void
lists(void)
{
	static const char *const cases[][2] = {
		{"", "[]=;"},
		{"  ", "[]=;"},
		{"7", "[]=7;"},
		{" 7 ", "[]=7;"},
		{"7, sales = 8", "[]=7;[sales]=8;"},
		{"7,sales=8,Sales=9", "[]=7;[sales]=8;[Sales]=9;"},
		{"sales = 8", "[sales]=8;"},
		{"sales = 8, 7", "[sales]=8;[]=7;"},
		{"\"my-shop\" = 8", "[my-shop]=8;"},
		{"\"a\"\"b, c = d\" = 8", "[a\"b, c = d]=8;"},
		{"\"\" = 8", "no name: "},
		{"b\xc3\xbc" "cher$1 = 8", "[b\xc3\xbc" "cher$1]=8;"},
		{"one.example, sales = two.example", "[]=one.example;[sales]=two.example;"},
		{"node@host name", "[]=node@host name;"},
		{"\"a,b=c\"", "[]=a,b=c;"},
		{"one, sales = \"\"", "[]=one;[sales]=;"},
		{"\"\", sales = one", "[]=;[sales]=one;"},
		{"7, 8", "two defaults: 8"},
		{"7, sales = 8, sales = 9", "twice: sales"},
		{"sales = 8, \"sales\" = 9", "twice: sales"},
		{"7,", "empty: "},
		{",", "empty: "},
		{", sales = 8", "empty: "},
		{"7,, sales = 8", "empty: "},
		{"7, sales =", "no value: sales"},
		{"7, sales = , shop = 8", "no value: sales"},
		{"= 8", "no name: "},
		{"my-shop = 8", "no name: my-shop"},
		{"1st = 8", "no name: 1st"},
		{"a b = 8", "no name: a b"},
		{"sales = 8 = 9", "garbled: sales"},
		{"\"sales\" 8", "garbled: sales"},
		{"a\"b\"", "garbled: a"},
		{"7, sales = \"8", "unclosed: 8"},
		{"\"", "unclosed: "},
		{"\"a\"\"", "unclosed: a\""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		char		shown[200];

		read_into(cases[i][0], shown, sizeof(shown));
		check_str(shown, cases[i][1], "%s", cases[i][0]);
	}
	conclude("lists: default, databases, quotes, and what is wrong with them");
}

/* Whatever the bytes, there is an answer, and no more memory is used than is promised. */
static void
any_text(void)
{
	static const char bytes[] = "ab7 ,=\"\"-";

	for (int n = 0; n < 100000; n++)
	{
		char		text[13];
		char		shown[200];
		size_t		length = random_below(sizeof(text));

		for (size_t i = 0; i < length; i++)
			text[i] = bytes[random_below(sizeof(bytes) - 1)];
		text[length] = '\0';
		read_into(text, shown, sizeof(shown));
		check(shown[0] != '\0', "%s", text);
	}
	conclude("lists: 100000 random texts");
}

int
main(void)
{
	numbers();
	ranges();
	lists();
	any_text();
	return done();
}
