import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import HTTPTypes
import Hummingbird
import OpenAPIDescription

/// The recorded sign-ins as JSON, as live pages, and as files to share.
extension ControlPort {
    private static let fileSuffix = ".html"

    var flowRoutes: [ControlRoute] {
        [
            ControlRoute(
                .get("flows", .signIns),
                "listFlows",
                "List the sign-ins; a page for browsers",
                query: [
                    .optional("of_check", .query("`true` shows those of `siwa check` on the page."))
                ],
                answers: .ok(
                    "Sorted by start time.",
                    .required("flows", .list(of: ControlSchemas.flow.reference))
                ),
                perform: list
            ),
            ControlRoute(
                .get("flows/{id}", .signIns),
                "showFlow",
                "Show one sign-in, step by step; a page for browsers, or a file if .html follows the id",
                answers: .ok("The sign-in.", ControlSchemas.flow.reference),
                perform: show
            ),
        ]
    }

    @Sendable private func list(_ request: ControlRequest) async throws -> ControlAnswer {
        let isOfCheck = try request.optionalQuery("of_check") == "true"
        guard request.prefersPage else {
            return .found(["flows": .array(await request.emulator.flows().map { .object($0) })])
        }
        let flows = await request.emulator.flowSnapshots().filter { $0.isOfCheck == isOfCheck }
        return .page(
            renderer.render(flows, in: await frame(of: request)),
            PageSecurity.flowFields
        )
    }

    @Sendable private func show(_ request: ControlRequest) async throws -> ControlAnswer {
        let name = try request.parameter("id")
        if name.hasSuffix(Self.fileSuffix) {
            return try await share(request, id: String(name.dropLast(Self.fileSuffix.count)))
        }
        guard request.prefersPage else { return .found(try await request.emulator.flow(id: name)) }
        let flow = try await request.emulator.flowSnapshot(id: name)
        return .page(renderer.render(flow, in: await frame(of: request)), PageSecurity.flowFields)
    }

    private func share(_ request: ControlRequest, id: String) async throws -> ControlAnswer {
        let flow = try await request.emulator.flowSnapshot(id: id)
        var fields = PageSecurity.flowFields
        fields[.contentDisposition] = "attachment; filename=\"sign-in-\(id)\(Self.fileSuffix)\""
        return .page(renderer.renderFile(flow), fields)
    }

    private func frame(of request: ControlRequest) async -> ConsoleFrame {
        let now = await request.emulator.consoleClock()["now"]
        return ConsoleFrame(clock: ConsoleText.time(now) + " UTC", world: request.world.name?.text)
    }
}
