extension String {
    /// Decodes UTF-8; nil if a byte is not part of a character.
    ///
    /// The standard library's `String(validating:as:)` needs iOS 18.
    package init?(utf8 bytes: some Collection<UInt8>) {
        // In an array, because other modules' collections are compared by a call for each byte.
        let bytes = Array(bytes)
        self.init(decoding: bytes, as: UTF8.self)
        // Invalid bytes were replaced, so the bytes differ.
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
