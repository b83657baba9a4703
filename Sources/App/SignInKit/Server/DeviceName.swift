import Foundation

#if canImport(Darwin)
    import Darwin
#endif

/// The name of a device and its app in the list of sessions, such as "Juice 2.1 on iPhone".
enum DeviceName {
    /// The name of this device and app.
    static var standard: String {
        let information = Bundle.main.infoDictionary ?? [:]
        let app = information["CFBundleDisplayName"] ?? information["CFBundleName"]
        let version = information["CFBundleShortVersionString"] as? String
        return name(app: app as? String, version: version, model: model)
    }

    /// Puts a name together; the parts that a header field cannot carry are left out.
    static func name(app: String?, version: String?, model: String) -> String {
        let app = app.flatMap(plain) ?? "App"
        return [app, version.flatMap(plain), "on", model].compactMap { $0 }.joined(separator: " ")
    }

    /// An app's own name in the characters that a field may have, others as `?`; nil if nothing is left.
    static func checked(_ name: String) -> String? {
        let name = name.unicodeScalars
            .map { (0x20...0x7E).contains($0.value) ? String($0) : "?" }
            .joined()
            .prefix(SignInLimits.maximumDeviceNameByteCount)
        return name.isEmpty ? nil : String(name)
    }

    private static func plain(_ text: String) -> String? {
        checked(text) == text ? text : nil
    }

    private static var model: String {
        #if os(macOS) || targetEnvironment(macCatalyst)
            "Mac"
        #elseif os(watchOS)
            "Apple Watch"
        #elseif os(tvOS)
            "Apple TV"
        #elseif os(visionOS)
            "Apple Vision"
        #elseif os(iOS)
            ProcessInfo.processInfo.isiOSAppOnMac ? "Mac" : isPad ? "iPad" : "iPhone"
        #else
            "Linux"
        #endif
    }

    #if os(iOS)
        /// The system's identifier of the model, such as "iPad14,1"; that of a simulator is in its environment.
        private static var isPad: Bool {
            let simulated = ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"]
            var system = utsname()
            uname(&system)
            let machine = withUnsafeBytes(of: system.machine) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            return (simulated ?? machine).hasPrefix("iPad")
        }
    #endif
}
