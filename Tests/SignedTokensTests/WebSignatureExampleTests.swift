import Foundation
import Testing

@testable import SignedTokens

/// The examples of RFC 7515's appendix: two that have to pass, and three that must not.
///
/// Source: [RFC 7515, appendix A](https://www.rfc-editor.org/rfc/rfc7515#appendix-A)
@Suite("RFC 7515, appendix A") struct WebSignatureExampleTests {
    /// The claims of all examples but A.4, encoded.
    private static let claims =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    @Test(
        "A.1, HMAC, A.4, ES512, and A.5, no signature at all, are refused by name",
        arguments: [
            (
                "HS256",
                "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(claims)"
                    + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
            ),
            (
                "ES512",
                "eyJhbGciOiJFUzUxMiJ9.UGF5bG9hZA."
                    + "AdwMgeerwtHoh-l192l60hp9wAHZFVJbLfD_UxMi70cwnZOYaRI1bKPWROc-mZZq"
                    + "wqT2SI-KGDKB34XO0aw_7XdtAG8GaSwFKdCAPZgoXD2YBJZCPEX3xKpRwcdOO8Kp"
                    + "EHwJjyqOgzDO7iKvU8vcnwNrmxYbSW9ERBXukOXolLzeO_Jn"
            ),
            ("none", "eyJhbGciOiJub25lIn0.\(claims)."),
        ]
    ) func otherAlgorithms(name: String, token: String) {
        #expect(throws: SignedTokenError.unsupportedAlgorithm(name)) { try UnverifiedToken(token) }
    }

    @Test("A.2, RS256, verifies, and not when it is altered") func rsa() throws {
        let key = try Self.key([
            "kty": "RSA", "e": "AQAB",
            "n": "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddx"
                + "HmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMs"
                + "D1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSH"
                + "SXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdV"
                + "MTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8"
                + "NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ",
        ])
        let signature =
            "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7"
            + "AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4"
            + "BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K"
            + "0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqv"
            + "hJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrB"
            + "p0igcN_IoypGlUPQGe77Rw"
        try expectOnlyThis("eyJhbGciOiJSUzI1NiJ9.\(Self.claims).\(signature)", key: key)
    }

    @Test("A.3, ES256, verifies, and not when it is altered") func p256() throws {
        let key = try Self.key([
            "kty": "EC", "crv": "P-256",
            "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        ])
        let signature =
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSA"
            + "pmWQxfKTUJqPP3-Kg6NU1Q"
        try expectOnlyThis("eyJhbGciOiJFUzI1NiJ9.\(Self.claims).\(signature)", key: key)
    }

    private static func key(_ members: [String: String]) throws -> JSONWebKey {
        try JSONDecoder().decode(JSONWebKey.self, from: JSONEncoder().encode(members))
    }

    private func expectOnlyThis(_ token: String, key: JSONWebKey) throws {
        let verificationKey = try key.verificationKey()
        let verified = try UnverifiedToken(token).verified(with: verificationKey)
        #expect(String(decoding: verified.payload, as: UTF8.self).contains("joe"))
        let altered = token.replacingOccurrences(of: "MDA4MTkz", with: "MDA4MTk0")
        #expect(altered != token)
        #expect(throws: SignedTokenError.invalidSignature) {
            try UnverifiedToken(altered).verified(with: verificationKey)
        }
    }
}
