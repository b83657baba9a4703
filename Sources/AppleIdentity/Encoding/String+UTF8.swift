extension String {
    /// Decodes UTF-8; nil when a byte is not part of a character.
    ///
    /// The standard library's `String(validating:as:)` needs iOS 18.
    package init?(utf8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        // What is no UTF-8 was replaced, and is not the same any more.
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
