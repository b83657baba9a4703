import AppleIdentity
import Foundation
import TestSupport
import Testing
import Yams

@testable import AppleEmulatorServer

@Suite struct ClientEnvironmentTests {
    private static func environment(
        path: String = "/home/maya/tls",
        host: String = "127.0.0.1",
        port: Int = 8443
    ) -> ClientEnvironment {
        ClientEnvironment(folder: AuthorityFolder(path: path), host: host, port: port)
    }

    @Test(arguments: [
        "/home/maya/tls", "/tmp/it's a folder/$HOME `x`", "/tmp/\"quoted\" \\", "/tmp/a\nfalse\nb",
    ])
    func aShellTakesIt(path: String) throws {
        let text = Self.environment(path: path).text(.shell)
        let names = [
            "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
        ]
        let program =
            "set -eu\n" + text + "\nprintf '%s\\n' "
            + names.map { "\"$\($0)\"" }.joined(separator: " ")
        let (code, told) = try runProgram("sh", ["-c", program])
        #expect(code == 0)
        let bundle = path + "/bundle.pem"
        #expect(told == [bundle, bundle, bundle, path + "/ca.pem", ""].joined(separator: "\n"))
    }

    @Test func everyOtherLineForAShellIsAComment() {
        let lines = Self.environment().text(.shell).split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("export ") || $0.hasPrefix("#") })
        #expect(lines.filter { $0.hasPrefix("export ") }.allSatisfy { $0.hasSuffix("';") })
    }

    @Test func aShellIsToldOfNamesAndPort() {
        let usual = Self.environment().text(.shell)
        #expect(
            usual.contains("127.0.0.1 appleid.apple.com account.apple.com appleid.cdn-apple.com")
        )
        #expect(usual.contains("--to-ports 8443") && usual.contains("--tls-port 443"))
        let direct = Self.environment(host: "192.0.2.7", port: 443).text(.shell)
        #expect(direct.contains("192.0.2.7 appleid.apple.com"))
        #expect(!direct.contains("iptables"))
    }

    @Test(arguments: ["/home/maya/tls", "/tmp/it's: \"a\" folder #1", "/tmp/a\nb: c"])
    func composeTakesIt(path: String) throws {
        let text = Self.environment(path: path).text(.docker)
        let document = try Yams.load(yaml: text) as? [String: Any]
        let services = document?["services"] as? [String: Any]
        let app = services?["app"] as? [String: Any]
        #expect(
            app?["extra_hosts"] as? [String] == [
                "appleid.apple.com:host-gateway", "account.apple.com:host-gateway",
                "appleid.cdn-apple.com:host-gateway",
            ]
        )
        let variables = app?["environment"] as? [String: String]
        #expect(variables?["SSL_CERT_FILE"] == "/etc/siwa/bundle.pem")
        #expect(variables?["NODE_EXTRA_CA_CERTS"] == "/etc/siwa/ca.pem")
        let volumes = app?["volumes"] as? [[String: Any]]
        #expect(
            volumes?.map { $0["source"] as? String } == [path + "/ca.pem", path + "/bundle.pem"]
        )
    }

    @Test func programsTakeIt() throws {
        let text = Self.environment(host: "0.0.0.0").text(.json)
        let object = try #require(JSONValue(parsing: Data(text.utf8)).objectValue)
        #expect(object["ca"] == "/home/maya/tls/ca.pem")
        #expect(object["port"] == .integer(8443))
        let variables = object["variables"]?.objectValue
        #expect(variables?["REQUESTS_CA_BUNDLE"] == "/home/maya/tls/bundle.pem")
        #expect(object["names"] == .array(AppleHosts.names.map { .string($0) }))
        #expect(object["hosts"]?.stringValue?.hasPrefix("127.0.0.1 ") == true)
        #expect(object["add_host"]?.arrayValue?.first == "appleid.apple.com:host-gateway")
    }

    @Test func containersGoToAnotherMachineByItsAddress() {
        #expect(
            Self.environment(host: "192.0.2.7").containerHosts.first
                == "appleid.apple.com:192.0.2.7"
        )
    }
}
