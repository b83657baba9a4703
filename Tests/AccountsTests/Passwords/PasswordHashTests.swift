import Testing

@testable import Accounts

@Suite("A hashed password") struct PasswordHashTests {
    private static let password = "correct horse \u{E9}"
    /// What hashlib.scrypt of Python makes of it.
    private static let known =
        "$scrypt$ln=4,r=8,p=2$AAECAwQFBgcICQoLDA0ODw$-mr9f_fJxLiwj4YQGgWqoPVvicSMCg7LAKep0sbHRkM"
    private let cost = PasswordCost(logarithmOfRounds: 4, blockSize: 8, parallelism: 2)

    @Test("equals the hash of another implementation")
    func knownAnswer() throws {
        let hash = try #require(PasswordHash(Self.known))
        #expect(hash.cost == cost)
        #expect(hash.text == Self.known)
        #expect(try hash.matches(Self.password))
        for other in [
            "correct horse e", "Correct horse é", "correct horse \u{E9} ", "",
            "correct horse e\u{301}",
        ] {
            #expect(try !hash.matches(other))
        }
    }

    @Test("has its own salt, and is read from its string")
    func salts() throws {
        let texts = try (0..<20).map { _ in try PasswordHash(Self.password, cost: cost).text }
        #expect(Set(texts).count == 20)
        for text in texts { #expect(try PasswordHash(text)?.matches(Self.password) == true) }
    }

    @Test("compares every byte of a long password")
    func long() throws {
        let long = String(repeating: "x", count: 127)
        let hash = try PasswordHash(long + "y", cost: cost)
        #expect(try hash.matches(long + "y"))
        #expect(try !hash.matches(long + "z"))
        #expect(try !hash.matches(long))
    }

    @Test(
        "is refused when its string is damaged or its cost exceeds the limits",
        arguments: [
            ("$scrypt$", "$argon2$"), ("$scrypt$", "scrypt$"), ("ln=4", "ln=0"), ("ln=4", "ln=21"),
            ("ln=4", "ln=-4"), ("ln=4", "ln=4 "), ("ln=4,r=8,p=2", "r=8,ln=4,p=2"), ("r=8", "r=17"),
            ("r=8", "r=0"), ("p=2", "p=17"), ("p=2", "p=0"), ("ln=4,r=8", "ln=20,r=8"),
            ("ln=4,r=8", "ln=17,r=9"), ("ln=4", "ln=99999999999999999999"), ("ODw$", "ODw"),
            ("ODw$", "OD$"), ("ODw$", "OD!$"), ("HRkM", "HRk"), ("HRkM", "HRkM$"),
            ("HRkM", "HRkMAAAA"),
            ("HRkM", "HRkM="), (known, ""), (known, "$$$$"),
        ]
    )
    func damaged(_ part: String, _ damage: String) throws {
        let text = Self.known.replacing(part, with: damage)
        try #require(text != Self.known)
        #expect(PasswordHash(text) == nil)
    }

    @Test("is not created at a cost beyond the limits")
    func unbearable() throws {
        for (rounds, blockSize, parallelism) in [
            (0, 8, 1), (21, 1, 1), (18, 8, 1), (4, 0, 1), (4, 8, 17), (-1, 8, 1),
        ] {
            let cost = PasswordCost(
                logarithmOfRounds: rounds,
                blockSize: blockSize,
                parallelism: parallelism
            )
            #expect(throws: CostTooHigh.self) { try PasswordHash(Self.password, cost: cost) }
        }
        #expect(PasswordCost.standard.isBearable)
    }
}
