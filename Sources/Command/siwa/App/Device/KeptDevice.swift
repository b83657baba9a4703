import AppleEmulator
import Foundation
import SimulatedAuthenticationServices

/// The simulated device with the Apple Account and passwords that it keeps between starts of `siwa app`.
///
/// Only the file's owner can read them.
@MainActor final class KeptDevice {
    private struct Contents: Codable {
        var account: String?
        var passwords: [String: String] = [:]
    }

    private static let maximumByteCount = 256 * 1024
    private nonisolated static let fileName = "device.json"

    let device: SimulatedDevice
    private let folder: DemoFolder
    private var contents: Contents

    /// Whether the folder has a device that was used before.
    nonisolated static func exists(in folder: DemoFolder) -> Bool {
        let path = folder.url.appending(path: fileName).path(percentEncoded: false)
        return FileManager.default.fileExists(atPath: path)
    }

    /// Restores the device from its file.
    init(_ device: SimulatedDevice, in folder: DemoFolder) throws {
        self.device = device
        self.folder = folder
        contents = try Self.read(folder.url.appending(path: Self.fileName))
        if let account = contents.account { device.resume(account: account) }
        for (user, password) in contents.passwords { device.store(password: password, for: user) }
    }

    var passwordUsers: [String] { contents.passwords.keys.sorted() }

    func store(_ password: String, for user: String) throws {
        device.store(password: password, for: user)
        contents.passwords[user] = password
        try write()
    }

    func has(_ password: String, for user: String) -> Bool { contents.passwords[user] == password }

    func removePassword(for user: String) throws {
        device.removePassword(for: user)
        contents.passwords[user] = nil
        try write()
    }

    /// Signs in the first person of the demo; with an emulator that lacks this person, the device has no account.
    func signInDemoPerson() async {
        guard let person = Seed.demo().people.first else { return }
        do {
            try await device.signIn(email: person.email, password: person.password)
            try keepAccount()
        } catch {}
    }

    func keepAccount() throws {
        contents.account = device.account
        try write()
    }

    private func write() throws {
        let data = try JSONEncoder().encode(contents)
        _ = try folder.write(String(decoding: data, as: UTF8.self), named: Self.fileName)
    }

    private static func read(_ file: URL) throws -> Contents {
        let path = file.path(percentEncoded: false)
        guard FileManager.default.isReadableFile(atPath: path) else { return Contents() }
        guard let data = FileAccess.read(path, atMost: maximumByteCount),
            let contents = try? JSONDecoder().decode(Contents.self, from: data)
        else {
            throw CommandFailure(
                "\(path) is not the file of a simulated device",
                hint: "remove the file, or give another folder with --data"
            )
        }
        return contents
    }
}
