import AppleEmulator
import AppleIdentity
import Foundation
import Testing

@testable import AppleEmulatorServer

@Suite("The folder of the state") struct StateFolderTests {
    private let temporary: TemporaryPath
    private var path: String { temporary.text }

    init() throws { temporary = try TemporaryPath(isMade: false) }

    @Test("Only the owner can use folder and file, and a file is replaced atomically")
    func modes() throws {
        let folder = try StateFolder(path: path)
        #expect(try folder.read() == nil)
        try folder.write(Data("first and long".utf8))
        try folder.write(Data("second".utf8))
        #expect(try folder.read() == Data("second".utf8))
        #expect(try TemporaryPath.permissions(path) == 0o700)
        #expect(try TemporaryPath.permissions(folder.filePath) == 0o600)
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(Set(names) == ["emulator.json", "emulator.lock"])
    }

    @Test("A partial file of a killed process is not read, and does not prevent writing")
    func leftover() throws {
        let folder = try StateFolder(path: path)
        try folder.write(Data("whole".utf8))
        try Data("ha".utf8).write(to: URL(filePath: path + "/emulator.json.new"))
        #expect(try folder.read() == Data("whole".utf8))
        try folder.write(Data("next".utf8))
        #expect(try folder.read() == Data("next".utf8))
    }

    @Test("One emulator at a time has a folder") func lock() throws {
        var first: StateFolder? = try StateFolder(path: path)
        let error = #expect(throws: StateFolderError.self) { try StateFolder(path: path + "/") }
        #expect(error?.message == "another emulator uses \(path)")
        #expect(try first?.read() == nil)
        first = nil
        _ = try StateFolder(path: path)
    }

    @Test("A file that others can read loses their permission") func openFile() throws {
        let folder = try StateFolder(path: path)
        try folder.write(Data("text".utf8))
        try TemporaryPath.setPermissions(0o644, of: folder.filePath)
        #expect(try folder.read() == Data("text".utf8))
        #expect(try TemporaryPath.permissions(folder.filePath) == 0o600)
    }

    @Test("A folder that others can write to is refused", arguments: [0o777, 0o720, 0o702])
    func openFolder(permissions: Int) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try TemporaryPath.setPermissions(permissions, of: path)
        let error = #expect(throws: StateFolderError.self) { try StateFolder(path: path) }
        #expect(error?.message == "\(path) is writable by other users")
        #expect(error?.hint.contains("chmod go-w") == true)
    }

    @Test("A path that is not a folder is refused by name") func kinds() throws {
        try Data().write(to: URL(filePath: path))
        let error = #expect(throws: StateFolderError.self) { try StateFolder(path: path) }
        #expect(error?.message == "\(path) is not a folder")
        let nested = #expect(throws: StateFolderError.self) {
            try StateFolder(path: path + "/in/it")
        }
        #expect(nested?.message.contains("can't create the folder \(path)/in/it") == true)
    }

    @Test("A path that is not a file is refused by name") func fileKinds() throws {
        let folder = try StateFolder(path: path)
        try FileManager.default.createDirectory(
            atPath: folder.filePath,
            withIntermediateDirectories: false
        )
        let reading = #expect(throws: StateFolderError.self) { try folder.read() }
        #expect(reading?.message == "can't read \(folder.filePath)")
        let writing = #expect(throws: StateFolderError.self) { try folder.write(Data()) }
        #expect(writing?.message.contains("can't replace \(folder.filePath)") == true)
    }

    @Test("A damaged file is refused by name and not changed") func damaged() async throws {
        let folder = try StateFolder(path: path)
        let whole = await (try await AppleEmulator()).exported()
        for damaged in [Data(), Data("{}".utf8), whole.prefix(whole.count / 2)] {
            try folder.write(damaged)
            let error = await #expect(throws: StateFolderError.self) {
                try await folder.emulator(seed: Seed(), configuration: .init())
            }
            #expect(error?.message.hasPrefix("\(folder.filePath) can't be used: ") == true)
            #expect(try folder.read() == damaged)
        }
    }
}
