import Foundation
import Testing

/// The project of Examples/Juice, which only Xcode builds.
@Suite("The Xcode project is whole") struct XcodeProjectTests {
    private static let folder = "Examples/Juice"
    /// The build settings of Xcode 26 that the project uses.
    ///
    /// Source: [Build settings reference](https://developer.apple.com/documentation/xcode/build-settings-reference)
    private static let knownSettings: Set<String> = [
        "ALWAYS_SEARCH_USER_PATHS", "CLANG_ENABLE_MODULES", "CODE_SIGN_STYLE",
        "CURRENT_PROJECT_VERSION", "DEBUG_INFORMATION_FORMAT", "ENABLE_APP_SANDBOX",
        "ENABLE_OUTGOING_NETWORK_CONNECTIONS", "ENABLE_PREVIEWS", "ENABLE_TESTABILITY",
        "GENERATE_INFOPLIST_FILE", "INFOPLIST_FILE",
        "INFOPLIST_KEY_UIApplicationSceneManifest_Generation",
        "INFOPLIST_KEY_UILaunchScreen_Generation", "IPHONEOS_DEPLOYMENT_TARGET",
        "MACOSX_DEPLOYMENT_TARGET", "MARKETING_VERSION", "ONLY_ACTIVE_ARCH",
        "PRODUCT_BUNDLE_IDENTIFIER", "PRODUCT_NAME", "SDKROOT", "SKIP_INSTALL",
        "SUPPORTED_PLATFORMS", "SWIFT_ACTIVE_COMPILATION_CONDITIONS",
        "SWIFT_APPROACHABLE_CONCURRENCY", "SWIFT_COMPILATION_MODE",
        "SWIFT_DEFAULT_ACTOR_ISOLATION", "SWIFT_OPTIMIZATION_LEVEL",
        "SWIFT_UPCOMING_FEATURE_MEMBER_IMPORT_VISIBILITY", "SWIFT_VERSION",
        "TARGETED_DEVICE_FAMILY", "TEST_TARGET_NAME", "XROS_DEPLOYMENT_TARGET",
    ]

    private typealias Object = [String: Any]
    private let objects: [String: Object]
    private let root: String

    init() throws {
        let file = Repository.root.appending(path: "\(Self.folder)/Juice.xcodeproj/project.pbxproj")
        let list = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: file),
            format: nil
        )
        let project = try #require(list as? Object)
        objects = try #require(project["objects"] as? [String: Object])
        root = try #require(project["rootObject"] as? String)
    }

    private func objects(_ isa: String) -> [Object] {
        objects.values.filter { $0["isa"] as? String == isa }
    }

    private func exists(_ path: String) -> Bool {
        let url = Repository.root.appending(path: "\(Self.folder)/\(path)").standardized
        return FileManager.default.fileExists(atPath: url.path())
    }

    @Test("Every reference leads to an object, and every object is referred to")
    func references() {
        var named: Set<String> = [root]
        func collect(_ value: Any) {
            switch value {
            case let text as String where text.wholeMatch(of: /[0-9A-F]{24}/) != nil:
                named.insert(text)
            case let list as [Any]: list.forEach(collect)
            case let object as Object:
                object.keys.forEach(collect)
                object.values.forEach(collect)
            default: break
            }
        }
        objects.values.forEach(collect)
        #expect(named.symmetricDifference(objects.keys).isEmpty)
    }

    @Test("Every folder and file exists, and no folder contains another")
    func files() throws {
        let groups = objects("PBXFileSystemSynchronizedRootGroup")
        let folders = groups.compactMap { $0["path"] as? String }
        #expect(folders.count == 4 && Set(folders).count == 4)
        for folder in folders {
            #expect(exists(folder), "\(folder)")
            #expect(!folders.contains { $0 != folder && $0.hasPrefix(folder + "/") })
        }
        for group in groups {
            for id in group["exceptions"] as? [String] ?? [] {
                for file in objects[id]?["membershipExceptions"] as? [String] ?? [] {
                    #expect(exists("\(group["path"] ?? "")/\(file)"), "\(file)")
                }
            }
        }
    }

    @Test("Every setting is known, and the files that settings name exist") func settings() {
        let all = objects("XCBuildConfiguration").compactMap { $0["buildSettings"] as? Object }
        #expect(all.count == 10)
        for settings in all {
            #expect(Self.knownSettings.isSuperset(of: settings.keys))
            if let file = settings["INFOPLIST_FILE"] as? String { #expect(exists(file)) }
        }
        #expect(Set(all.flatMap(\.keys)) == Self.knownSettings)
    }

    @Test("The package is this one without its traits, and has the products") func package() throws
    {
        let packages = objects("XCLocalSwiftPackageReference")
        let paths = packages.compactMap { $0["relativePath"] as? String }
        #expect(paths.map { exists($0 + "/Package.swift") } == [true])
        // Without the key, Xcode 26.4 enables the default traits, and resolves the server's packages too.
        #expect(packages.map { $0["traits"] as? [String] } == [[]])
        let manifest = try String(
            contentsOf: Repository.root.appending(path: "Package.swift"),
            encoding: .utf8
        )
        let products = Set(
            objects("XCSwiftPackageProductDependency").compactMap { $0["productName"] as? String }
        )
        #expect(products == ["SignInKit", "SignInKitUI"])
        #expect(products.allSatisfy { manifest.contains(".library(name: \"\($0)\"") })
    }
}
