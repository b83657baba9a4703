import Foundation

/// Texts in archives, as the classes that coders know.
extension NSCoder {
    func encode(text: String?, forKey key: String) {
        encode(text.map { NSString(string: $0) }, forKey: key)
    }

    func encode(bytes: Data?, forKey key: String) {
        encode(bytes.map { NSData(data: $0) }, forKey: key)
    }

    func text(forKey key: String) -> String? {
        decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) }
    }

    func texts(forKey key: String) -> [String]? {
        decodeObject(of: [NSArray.self, NSString.self], forKey: key) as? [String]
    }

    func bytes(forKey key: String) -> Data? {
        decodeObject(of: NSData.self, forKey: key).map { Data(referencing: $0) }
    }
}
