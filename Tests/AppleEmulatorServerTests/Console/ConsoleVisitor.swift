import AppleEmulator
import AppleEmulatorPages
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import AppleEmulatorServer

/// A person with a browser on the console.
struct ConsoleVisitor {
    let emulator: AppleEmulator
    let control: ControlClient

    /// Opens a page, expects this status, and answers the document.
    func open(
        _ path: String,
        expecting status: HTTPResponse.Status = .ok,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let answer = try await control.send(
            .get,
            path,
            fields: ["Accept": "text/html"],
            expecting: status,
            sourceLocation: sourceLocation
        )
        let type = answer.headers[.contentType]
        #expect(type == "text/html; charset=utf-8", sourceLocation: sourceLocation)
        return answer.text
    }

    /// Sends a form as a browser does from the console's own pages.
    @discardableResult
    func post(
        _ path: String,
        _ fields: [(String, String)] = [],
        header: [String: String] = ["Origin": "http://localhost"],
        expecting status: HTTPResponse.Status? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ControlClient.Answer {
        let plain = CharacterSet.alphanumerics
        let pairs = fields.map { name, value in
            let text = value.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
            return "\(name)=\(text)"
        }
        let type = ["Content-Type": "application/x-www-form-urlencoded"]
        return try await control.send(
            .post,
            path,
            pairs.joined(separator: "&"),
            fields: type.merging(header) { first, _ in first },
            expecting: status,
            sourceLocation: sourceLocation
        )
    }

    /// Sends a form, expects that it is done, and answers the page that says so.
    @discardableResult
    func fill(
        _ path: String,
        _ fields: [(String, String)] = [],
        says notice: ConsoleNotice,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let answer = try await post(path, fields)
        #expect(answer.status == .seeOther, "\(answer.text)", sourceLocation: sourceLocation)
        // A browser does not send the part of the page to which it scrolls.
        let location = (answer.headers[.location] ?? "").prefix { $0 != "#" }
        let page = try await open(String(location), sourceLocation: sourceLocation)
        let text = "<p class=\"notice\" role=\"status\">\(notice.text)</p>"
        #expect(page.contains(text), sourceLocation: sourceLocation)
        return page
    }

    /// Sends a form, expects that it is refused with the reason at this field, and answers the page.
    @discardableResult
    func expectRefusal(
        _ path: String,
        _ form: String,
        _ fields: [(String, String)],
        at field: String,
        status: HTTPResponse.Status = .unprocessableContent,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let answer = try await post(path, [("form", form)] + fields)
        #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
        let page = answer.text
        #expect(page.contains("role=\"alert\" id=\"error\""), sourceLocation: sourceLocation)
        #expect(page.contains("<title>Error: "), sourceLocation: sourceLocation)
        let problem = "<p class=\"field-error\" id=\"\(form)-\(field)-error\">"
        #expect(page.contains(problem), "\(page)", sourceLocation: sourceLocation)
        #expect(page.contains("aria-invalid=\"true\""), sourceLocation: sourceLocation)
        return page
    }
}

extension ConsoleVisitor {
    /// Visits the console of an emulator that knows these.
    init(of seed: Seed = ConsoleWorld.seed) async throws {
        emulator = try await makeEmulator(of: seed)
        let addresses = EmulatorAddresses(
            apple: try #require(URL(string: "http://127.0.0.1:8081")),
            control: try #require(URL(string: "http://127.0.0.1:8082")),
            smtp: "127.0.0.1:8025"
        )
        control = try await ControlClient(emulator) { addresses }
    }

    /// Adds something of everything.
    func addEverything(with text: String = "Hello") async throws {
        try await emulator.meet()
        let subject = "=?utf-8?B?\(Data(text.utf8).base64EncodedString())?="
        #expect(await emulator.bring(subject: subject, html: "<p>" + text).hasPrefix("250"))
        _ = await emulator.receiveMail(
            Data("Subject: x\r\n\r\nx\r\n".utf8),
            from: "spam@elsewhere.example.com",
            to: ["nobody@privaterelay.appleid.com"]
        )
        _ = try await emulator.replyToMail(id: "1", ["text": .string(text)])
        _ = try await emulator.sendNotification([
            "type": "consent-revoked", "client_id": "com.example.juice", "sub": .string("1" + text),
        ])
        _ = try await emulator.addFault([
            "endpoint": "keys", "status": 503, "body": .string(text), "count": 1,
        ])
        _ = try await emulator.changeSwitches(["issuer": .string(text)])
        await emulator.ask("/auth/authorize?client_id=%3Cscript%3E&response_type=code")
    }
}

/// A suite whose tests each have a console of their own.
class ConsoleSuite {
    let visitor: ConsoleVisitor

    init() async throws { visitor = try await ConsoleVisitor() }
}
