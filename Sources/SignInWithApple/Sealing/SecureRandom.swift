import AppleIdentity

/// Values nobody can guess, from the system's generator.
package enum SecureRandom {
    package static func bytes(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    package static func hexadecimal(byteCount: Int) -> String {
        Hexadecimal.encode(bytes(count: byteCount))
    }
}
