import Foundation
import Testing

/// The project of Examples/Juice, which only Xcode builds.
@Suite("The Xcode project is whole") struct XcodeProjectTests {
    private static let folder = "Examples/Juice"

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

    @Test("The files that settings name exist") func settings() {
        let all = objects("XCBuildConfiguration").compactMap { $0["buildSettings"] as? Object }
        let files = all.compactMap { $0["INFOPLIST_FILE"] as? String }
        #expect(!files.isEmpty && files.allSatisfy(exists))
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
