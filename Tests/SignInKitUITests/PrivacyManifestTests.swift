import Foundation
import Testing

/// The privacy manifests of the kit, by Apple's lists.
///
/// Source: [Privacy manifest files](https://developer.apple.com/documentation/bundleresources/privacy-manifest-files)
@Suite("Privacy manifests") struct PrivacyManifestTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources").standardized
    /// The functions that need a declared reason, and their category.
    private static let requiredReasons = [
        "FileTimestamp": #"\b(f|l)?stat\(|\.modificationDate|\.creationDate"#,
        "UserDefaults": #"\bUserDefaults\b|@AppStorage"#,
        "SystemBootTime": #"systemUptime|mach_absolute_time"#,
        "DiskSpace": #"volumeAvailableCapacity|\bstatfs\("#,
        "ActiveKeyboards": #"activeInputModes"#,
    ]

    private func manifest(_ module: String) throws -> [String: Any] {
        let file = Self.root.appending(path: "\(module)/Resources/PrivacyInfo.xcprivacy")
        let list = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: file),
            format: nil
        )
        return try #require(list as? [String: Any])
    }

    private func sources(_ modules: [String]) throws -> String {
        try modules.map { module in
            let folder = Self.root.appending(path: module).path()
            return try FileManager.default.subpathsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(".swift") }
                .map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
                .joined()
        }.joined()
    }

    @Test(
        "The keys and values are those of Apple's lists",
        arguments: ["App/SignInKit", "App/SignInKitUI"]
    )
    func keys(_ module: String) throws {
        let manifest = try manifest(module)
        #expect(
            Set(manifest.keys) == [
                "NSPrivacyTracking", "NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes",
                "NSPrivacyAccessedAPITypes",
            ]
        )
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        #expect((manifest["NSPrivacyTrackingDomains"] as? [String])?.isEmpty == true)
        let types = try #require(manifest["NSPrivacyCollectedDataTypes"] as? [[String: Any]])
        for type in types {
            let name = try #require(type["NSPrivacyCollectedDataType"] as? String)
            let known = ["Name", "EmailAddress", "UserID"].map { "NSPrivacyCollectedDataType" + $0 }
            #expect(known.contains(name))
            #expect(type["NSPrivacyCollectedDataTypeLinked"] as? Bool == true)
            #expect(type["NSPrivacyCollectedDataTypeTracking"] as? Bool == false)
            let purposes = type["NSPrivacyCollectedDataTypePurposes"] as? [String]
            #expect(purposes == ["NSPrivacyCollectedDataTypePurposeAppFunctionality"])
        }
        #expect(types.count == (module == "App/SignInKit" ? 3 : 0))
    }

    @Test(
        "The declared reasons are those of the functions that the sources call",
        arguments: [
            (
                "App/SignInKit",
                ["App/SignInKit", "Shared/AppleIdentity", "Shared/LimitedTransport"]
            ),
            ("App/SignInKitUI", ["App/SignInKitUI"]),
        ]
    )
    func reasons(_ module: String, _ modules: [String]) throws {
        let prefix = "NSPrivacyAccessedAPICategory"
        let declared = try #require(
            manifest(module)["NSPrivacyAccessedAPITypes"] as? [[String: Any]]
        )
        let sources = try sources(modules)
        let called = try Self.requiredReasons.filter { sources.contains(try Regex($0.value)) }.keys
        #expect(
            Set(declared.compactMap { $0["NSPrivacyAccessedAPIType"] as? String })
                == Set(called.map { prefix + $0 })
        )
        for reason in declared {
            let reasons = reason["NSPrivacyAccessedAPITypeReasons"] as? [String]
            #expect(reasons == ["C617.1"])
        }
    }
}
