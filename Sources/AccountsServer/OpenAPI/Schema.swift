import OpenAPIDescription

/// The schema of what is read and answered here.
typealias Schema = JSONSchema

extension JSONSchema {
    /// One that operations share.
    static func named(_ name: Schemas) -> JSONSchema { reference(to: name.rawValue) }
}
