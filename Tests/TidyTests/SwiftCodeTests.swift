import Testing

@Suite("Reading Swift text") struct SwiftCodeTests {
    @Test(
        "Comments and literals are blanked, code stays",
        arguments: [
            ("let a = 1 // one", "let a = 1 "),
            ("a /* b /* c */ d */ e", "a  e"),
            ("let text = \"try!\"", "let text = \"\""),
            ("let text = \"\\\"try!\\\"\"", "let text = \"\""),
            ("let text = #\"a \"try!\" b\"#", "let text = \"\""),
            ("let text = \"\"\"\n  // x\n  \"\"\"\nlet b = 2", "let text = \"\n\n\"\nlet b = 2"),
            ("\"\\(value(1)) is\" + b", "\"value(1)\" + b"),
            ("\"a\\(\"b\" + c)d\"", "\"\"\" + c\""),
            ("#expect(a)", "#expect(a)"), ("match(#/a\"{/#) + b", "match() + b"),
            ("match(/a\\/\"{/) + b", "match() + b"),
            ("let form =\n    /\"{\"/", "let form =\n    "),
            ("let a = b / c / d", "let a = b / c / d"),
        ]
    ) func strip(text: String, expected: String) {
        #expect(SwiftCode.strip(text) == expected)
    }
}
