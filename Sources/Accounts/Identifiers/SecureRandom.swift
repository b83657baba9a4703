import Foundation

/// Values nobody can guess, from the system's generator.
package enum SecureRandom {
    package static func bytes(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    package static func hexadecimal(byteCount: Int) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let characters = bytes(count: byteCount).flatMap { byte in
            [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: characters, as: UTF8.self)
    }
}
