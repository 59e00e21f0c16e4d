# A statement that begins with "@EACH lt le ge gt@" is written once for each of these
# comparisons, with that one's words for @NAME@, @OP@, @COMMUTATOR@, @NEGATOR@, @MEANS@, @WHEN@
# and @CORE@, how core's estimators begin.
BEGIN {
	split("lt|<|>|>=|less than|before|scalarlt\n" \
		"le|<=|>=|>|less than or equal|at or before|scalarle\n" \
		"eq|=|=|<>|equal||eq\n" \
		"ne|<>|<>|=|not equal||neq\n" \
		"ge|>=|<=|<|greater than or equal|at or after|scalarge\n" \
		"gt|>|<|<=|greater than|after|scalargt", rows, "\n")
	split("NAME OP COMMUTATOR NEGATOR MEANS WHEN CORE", words, " ")
	for (row in rows) {
		split(rows[row], values, "|")
		for (i in words)
			value[values[1], words[i]] = values[i]
	}
}

sub(/^@EACH /, "") {
	split(substr($0, 1, index($0, "@ ") - 1), comparisons, " ")
	$0 = substr($0, index($0, "@ ") + 2)
	statement = ""
	repeated = 1
}

!repeated { print; next }

{ statement = statement $0 "\n" }

/;$/ {
	repeated = 0
	for (c = 1; c in comparisons; c++) {
		text = statement
		for (i in words)
			gsub("@" words[i] "@", value[comparisons[c], words[i]], text)
		printf "%s", text
	}
}
