/// Codes and tokens in Apple's form: a letter, a UUID without dashes, a place, 16 random bytes.
enum TokenText {
    private static let places = ["nruy", "mruy", "rruy", "rrsrs", "rrtrs", "mxzs", "nxsu"]

    static func authorizationCode() -> String { make("c") }
    static func accessToken() -> String { make("a") }
    static func refreshToken() -> String { make("r") }

    private static func make(_ letter: String) -> String {
        var generator = SystemRandomNumberGenerator()
        let place = places[Int.random(in: 0..<places.count, using: &generator)]
        return letter + RandomText.uuidHexadecimal() + ".0." + place + "."
            + RandomText.base64URL(byteCount: 16)
    }
}
