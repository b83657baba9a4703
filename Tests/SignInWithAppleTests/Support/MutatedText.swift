import Foundation

/// Changes a text's bytes at random, in the same way with the same seed.
struct MutatedText {
    /// The inserted bytes: those with a meaning in JSON, and invalid ones.
    private static let bytes =
        Array("{}[]\":,\\/eE+-.0123456789tfnu aAé\u{0}\n\u{7F}".utf8) + [0xFF, 0xC0]

    private var generator: SplitMix

    init(seed: UInt64) { generator = SplitMix(state: seed) }

    /// The text with one to four bytes replaced, inserted, removed or duplicated.
    mutating func next(from text: Data) -> Data {
        var changed = Array(text)
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !changed.isEmpty {
            let index = changed.indices.randomElement(using: &generator) ?? 0
            let byte = Self.bytes.randomElement(using: &generator) ?? 0
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: changed[index] = byte
            case 1: changed.insert(byte, at: index)
            case 2: changed.remove(at: index)
            case 3: changed.removeSubrange(index..<min(index + 6, changed.count))
            default: changed.insert(contentsOf: changed[index...].prefix(24), at: index)
            }
        }
        return Data(changed)
    }
}

/// A generator whose numbers can be had again, after Steele, Lea and Flood.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
