import JWTKit

/// Claims that jwt-kit hands over without judging their times, which come from another clock.
struct OpenClaims: JWTPayload {
    let iss: String
    let aud: String
    let sub: String
    let iat: Int
    let exp: Int

    func verify(using algorithm: some JWTAlgorithm) async throws {}
}
