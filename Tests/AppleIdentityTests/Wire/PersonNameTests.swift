import AppleIdentity
import Testing

@Suite("A user's name in one line") struct PersonNameTests {
    @Test(
        "has the family name first, and no space, in Han, Hangul and Kana",
        arguments: [
            ("건규", "박", "박건규"), ("太郎", "山田", "山田太郎"), ("さくら", "サトウ", "サトウさくら"),
            ("小明", "王", "王小明"), ("\u{1100}\u{1161}", "박", "박\u{1100}\u{1161}"),
            ("一郎", "葛\u{E0100}城", "葛\u{E0100}城一郎"), ("ハナ", "コーノ", "コーノハナ"),
        ]
    ) func eastAsian(given: String, family: String, expected: String) {
        #expect(PersonName(givenName: given, familyName: family).displayName == expected)
    }

    @Test(
        "has the given name first, and a space, in all other scripts",
        arguments: [
            ("Maya", "Lindgren", "Maya Lindgren"), ("Geon-gyu", "박", "Geon-gyu 박"),
            ("건규", "Park", "건규 Park"), ("マリア・ルイサ", "ガルシア", "マリア・ルイサ ガルシア"),
            ("Иван", "Петров", "Иван Петров"), ("太郎 B.", "山田", "太郎 B. 山田"),
        ]
    ) func others(given: String, family: String, expected: String) {
        #expect(PersonName(givenName: given, familyName: family).displayName == expected)
    }

    @Test("is the one part that there is") func onePart() {
        #expect(PersonName(givenName: "건규").displayName == "건규")
        #expect(PersonName(familyName: "Ng").displayName == "Ng")
        #expect(PersonName().displayName.isEmpty)
    }
}
