/// Reads JSON in one pass over its bytes, one value or member after the other.
///
/// It accepts only what RFC 8259 permits: UTF-8, complete characters, and nothing after the value.
/// It also rejects what RFC 8259 leaves open: a repeated member, and a text beyond the limits. So
/// two readers cannot read one text differently. Reading members of plain ASCII allocates nothing.
///
/// Source: [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)
package struct JSONReader {
    /// An array or object that is open at a place in the text.
    struct Container {
        var isEmpty = true
        var memberCount = 0
        /// The index of its first name among the stored names.
        var firstName: Int
        /// All of its names, if there are many of them, or one that is not plain.
        var allNames: Set<String>?
    }

    /// The number of names of open objects that are compared in place, before a set is used.
    @usableFromInline static let nameCapacity = 32

    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0
    private let limits: JSONLimits
    private let names: UnsafeMutableBufferPointer<JSONText>
    private var nameCount = 0
    private var depth = 0
    private var container = Container(firstName: 0)
    private var outerContainers: [Container] = []

    /// Reads a text; the body must not store the reader, or strings of it.
    @inlinable
    package static func read<Value>(
        _ bytes: UnsafeBufferPointer<UInt8>,
        limits: JSONLimits = .message,
        _ body: (inout JSONReader) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        try withUnsafeTemporaryAllocation(of: JSONText.self, capacity: nameCapacity) {
            names throws(JSONError) in
            var reader = try JSONReader(bytes, limits: limits, names: names)
            let value = try body(&reader)
            try reader.end()
            return value
        }
    }

    @usableFromInline
    init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        limits: JSONLimits,
        names: UnsafeMutableBufferPointer<JSONText>
    ) throws(JSONError) {
        self.bytes = bytes
        self.limits = limits
        self.names = names
        guard bytes.count <= limits.maximumByteCount else {
            throw error(.tooLong(limit: limits.maximumByteCount))
        }
    }

    @usableFromInline
    mutating func end() throws(JSONError) {
        skipSpace()
        guard index == bytes.count else {
            throw error(.malformed("unexpected data follows the value"))
        }
    }

    func error(_ reason: JSONError.Reason) -> JSONError {
        let line = bytes[..<index].count { $0 == UInt8(ascii: "\n") } + 1
        return JSONError(reason: reason, offset: index, line: line)
    }

    /// An error about what is missing at the current place.
    func missing(_ words: String) -> JSONError {
        error(isAtEnd ? .truncated : .malformed("\(words) is missing"))
    }
}

extension JSONReader {
    package mutating func beginObject() throws(JSONError) {
        skipSpace()
        guard accept("{") else {
            throw error(isAtEnd ? .truncated : .malformed("it is not an object"))
        }
        try open()
    }

    package mutating func beginArray() throws(JSONError) {
        skipSpace()
        guard accept("[") else {
            throw error(isAtEnd ? .truncated : .malformed("it is not an array"))
        }
        try open()
    }

    /// The name of the object's next member, whose value must be read next; nil at its end.
    package mutating func nextName() throws(JSONError) -> JSONText? {
        guard try hasNext(before: "}", missing: "a comma or the end of the object") else {
            return nil
        }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
            throw missing("the name of a member")
        }
        let name = try text()
        try keep(name)
        skipSpace()
        guard accept(":") else { throw missing("the colon after a name") }
        return name
    }

    /// Whether the array has another element, which must be read next.
    package mutating func hasNextElement() throws(JSONError) -> Bool {
        try hasNext(before: "]", missing: "a comma or the end of the array")
    }

    private mutating func hasNext(
        before end: Unicode.Scalar,
        missing words: String
    ) throws(JSONError) -> Bool {
        skipSpace()
        if accept(end) {
            close()
            return false
        }
        if container.isEmpty {
            container.isEmpty = false
            return true
        }
        guard accept(",") else { throw missing(words) }
        skipSpace()
        return true
    }

    private mutating func open() throws(JSONError) {
        guard depth < limits.maximumDepth else { throw error(.tooDeep(limit: limits.maximumDepth)) }
        if depth > 0 { outerContainers.append(container) }
        depth += 1
        container = Container(firstName: nameCount)
    }

    private mutating func close() {
        depth -= 1
        nameCount = container.firstName
        if let outer = outerContainers.popLast() { container = outer }
    }
}

extension JSONReader {
    /// Stores a name, and rejects a repeated one.
    ///
    /// RFC 8259, section 4, leaves open what a repeated member means.
    /// https://www.rfc-editor.org/rfc/rfc8259#section-4
    private mutating func keep(_ name: JSONText) throws(JSONError) {
        container.memberCount += 1
        guard container.memberCount <= limits.maximumMemberCount else {
            throw error(.tooManyMembers(limit: limits.maximumMemberCount))
        }
        guard name.isPlain, container.allNames == nil, nameCount < names.count else {
            return try keepInSet(name.string)
        }
        for index in container.firstName..<nameCount where names[index].isSamePlain(as: name) {
            throw error(.duplicateMember(name.string))
        }
        names.initializeElement(at: nameCount, to: name)
        nameCount += 1
    }

    private mutating func keepInSet(_ name: String) throws(JSONError) {
        if container.allNames == nil {
            container.allNames = Set(names[container.firstName..<nameCount].map(\.string))
        }
        guard container.allNames?.insert(name).inserted == true else {
            throw error(.duplicateMember(name))
        }
    }
}

extension JSONReader {
    var isAtEnd: Bool { index == bytes.count }

    mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    /// Takes a character if it is next.
    mutating func accept(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }
}
