/// A setting whose value is a list with a limited number of entries.
protocol ListSetting {
    static var settingName: String { get }
}

extension ListSetting {
    /// The maximum number of entries.
    static var maximumCount: Int { 100 }

    static func checkCount(of entries: [String]) throws(ConfigurationError) {
        guard entries.count <= maximumCount else {
            throw mistake(
                "lists more than \(maximumCount) entries",
                fix: "list only those that use this server"
            )
        }
    }

    static func mistake(_ message: String, fix: String) -> ConfigurationError {
        ConfigurationError(settingName, message, fix: fix)
    }
}
