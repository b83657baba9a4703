/// The writing system of a username's letter.
enum WritingSystem: Hashable {
    case latin, greek, cyrillic, japanese, korean
    /// A system with more than one block, by its index in the table.
    case spread(Int)
    /// A system with a block of 128 code points of its own.
    case block(UInt32)

    /// Whether the letters belong to one writing system, or to systems that are written together, and foreign letters
    /// do not all look like Latin ones.
    static func isUnmistakable(_ scalars: String.UnicodeScalarView) -> Bool {
        let letters = scalars.filter { !$0.isASCII || $0.properties.isAlphabetic }
            .filter { $0.properties.generalCategory != .nonspacingMark }
        let systems = Set(letters.map { WritingSystem($0) })
        switch systems.count {
        case 0: return true
        case 1:
            let isForeign = systems != [.latin]
            return !(isForeign && letters.allSatisfy { looksLatin.contains($0) })
        // Japanese and Korean are written with Latin words in between, and their letters do not look Latin.
        default: return systems == [.latin, .japanese] || systems == [.latin, .korean]
        }
    }

    private init(_ scalar: Unicode.Scalar) {
        let value = scalar.value
        switch value {
        // Phonetic letters look like Latin ones; those of African languages are Latin.
        case 0...0x24F, 0x253, 0x254, 0x256, 0x257, 0x259, 0x25B, 0x263, 0x268, 0x272, 0x289, 0x28B,
            0x292, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA720...0xA7FF:
            self = .latin
        case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
        case 0x400...0x52F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: self = .cyrillic
        case 0x3005...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0x20000...0x3134F:
            self = .japanese
        case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7AF: self = .korean
        default:
            let place = Self.spreadBlocks.firstIndex { ranges in
                ranges.contains { $0.contains(value) }
            }
            self = place.map { .spread($0) } ?? .block(value >> 7)
        }
    }

    /// The blocks of writing systems that have more than one or share one.
    ///
    /// Source: [Unicode scripts](https://www.unicode.org/Public/UCD/latest/ucd/Scripts.txt)
    private static let spreadBlocks: [[ClosedRange<UInt32>]] = [
        // Armenian, Arabic, Georgian, Myanmar
        [0x530...0x58F],
        [0x600...0x6FF, 0x750...0x77F, 0x870...0x8FF],
        [0x10A0...0x10FF, 0x1C90...0x1CBF, 0x2D00...0x2D2F],
        [0x1000...0x109F, 0xA9E0...0xA9FF, 0xAA60...0xAA7F],
        // Ethiopic, Canadian syllabics, Tibetan, Mongolian
        [0x1200...0x139F, 0x2D80...0x2DDF, 0xAB00...0xAB2F],
        [0x1400...0x167F, 0x18B0...0x18FF],
        [0xF00...0xFFF],
        [0x1800...0x18AF],
        // Yi, Vai
        [0xA000...0xA4CF],
        [0xA500...0xA63F],
        // The phonetic alphabet
        [0x250...0x2AF, 0x1D00...0x1DBF],
    ]

    /// Letters of other writing systems that look like a small Latin letter in common fonts.
    ///
    /// Source: [Unicode confusables](https://www.unicode.org/Public/security/latest/confusables.txt)
    private static let looksLatin = Set(
        "асԁеһіјӏорԗԛѕԝхуъьҽпгѵѡοαινκρτυχγωηհոսցքօзɑɡɩɪʟʏʀɴʜʙᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢ".unicodeScalars
    )
}
