import Mustache

extension MustacheLibrary {
    /// Reads templates that are embedded in the program; their values are escaped for HTML.
    package init(pages sources: [String: [UInt8]]) throws {
        PageMarkup.register()
        self.init(
            templates: try sources.mapValues {
                try MustacheTemplate(
                    string: PageMarkup.pragma + String(decoding: $0, as: UTF8.self)
                )
            }
        )
    }
}
