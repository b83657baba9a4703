import AppleIdentity
import Foundation

/// Where an emulated Apple has the keys from with which it begins to sign.
package struct SigningKeySource: Sendable {
    let keys: @Sendable (_ count: Int, _ nameLength: Int) async throws -> [EmulatorSigningKey]

    package init(
        _ keys:
            @escaping @Sendable (_ count: Int, _ nameLength: Int) async throws ->
            [EmulatorSigningKey]
    ) {
        self.keys = keys
    }

    /// New keys at each start.
    package static let fresh = SigningKeySource { count, nameLength in
        try await EmulatorSigningKey.make(count: count, nameLength: nameLength)
    }
}

/// Keys as they are kept from one start to the next, because making them is most of a start.
extension EmulatorSigningKey {
    private static let section = "signing_keys"

    /// The longest document that is read, in bytes; eight keys take a fifth of it.
    package static let maximumDocumentByteCount = 64 * 1024

    /// Writes keys, with their private halves.
    package static func document(of keys: [EmulatorSigningKey]) -> Data {
        let objects = SigningKeyRing(keys).kept.map {
            JSONValue.object(KeptSigningKey.schema.write($0))
        }
        let document: JSONObject = [section: .array(objects)]
        return document.data
    }

    /// Reads keys that were kept.
    package static func keys(
        in document: Data,
        count: Int,
        nameLength: Int
    ) -> [EmulatorSigningKey]? {
        guard document.count <= maximumDocumentByteCount,
            let objects = try? JSONValue(parsing: document).objectValue?[section]?.arrayValue
        else { return nil }
        var ring = SigningKeyRing([])
        for object in objects {
            // With references it is read as a state's own: a text from elsewhere has no lines.
            guard let object = object.objectValue,
                let kept = try? KeptSigningKey.schema.read(object, StateReferences()),
                (try? ring.restore(kept)) != nil
            else { return nil }
        }
        let keys = ring.current
        let isFitting =
            keys.count == count && keys.allSatisfy { $0.keyID.rawValue.count == nameLength }
        return isFitting ? keys : nil
    }
}
