import AppleEmulator
import AppleIdentity
import Hummingbird
import OpenAPIDescription

/// The routes for decisions, keys, transfers, the clock, switches and faults.
extension ControlPort {
    var steering: [ControlRoute] {
        [
            ControlRoute(
                .post("authorizations/next", .signIns),
                "decideNext",
                "Decide the next authorization request without a page; decisions are queued",
                body: ControlBody.decision.restricted(by: ControlRules.choice),
                answers: .created("The decision.", .required("person", .text()))
            ) { .made(try await $0.emulator.decideNext($0.object)) },
            ControlRoute(
                .get("authorizations/next", .signIns),
                "listDecisions",
                "List the queued decisions",
                answers: .ok(
                    "In the order in which they apply.",
                    .required("decisions", .list(of: .members))
                )
            ) { .found(["decisions": .list(await $0.emulator.decisions())]) },
            ControlRoute(
                .delete("authorizations/next", .signIns),
                "clearDecisions",
                "Remove the queued decisions, all or those for a client",
                query: [.optional("client_id", .query())],
                done: "Removed."
            ) { await $0.emulator.clearDecisions(for: try $0.optionalQuery("client_id")) },
            ControlRoute(
                .post("signing-keys/rotate", .apple),
                "rotateSigningKeys",
                "Replace Apple's signing keys",
                fields: [
                    .optional(
                        "keep_old",
                        JSONSchema.flag("Whether old keys stay published.").orNull
                    )
                ],
                answers: .ok(
                    "The key IDs.",
                    .required("key_ids", .list(of: .text())),
                    .required("old_key_ids", .list(of: .text()))
                )
            ) { .found(try await $0.emulator.rotateSigningKeys($0.object)) },
            ControlRoute(
                .post("transfers", .apple),
                "transferApp",
                "Transfer an app to another team; its users can be migrated for 60 days",
                fields: [
                    .required("client_id", ControlBody.text),
                    .required("to_team", ControlBody.text),
                ],
                answers: .created(
                    "The transfer.",
                    .required("client_id", .text()),
                    .required("from_team", .text()),
                    .required("to_team", .text()),
                    .required("window_ends_at", .time)
                ),
                refusals: [.notFound, .conflict]
            ) { .made(try await $0.emulator.transfer($0.object)) },
            ControlRoute(
                .post("clock", .apple),
                "moveClock",
                "Move Apple's clock, to a time or by seconds",
                body: Self.clockBody,
                answers: .ok("The clock's current time.", .required("now", .time))
            ) { .found(try await $0.emulator.moveClock($0.object)) },
            ControlRoute(
                .get("switches", .faults),
                "listSwitches",
                "List every switch with its value",
                answers: .ok("The switches.", ControlSchemas.switches.reference)
            ) { .found(await $0.emulator.switches()) },
            ControlRoute(
                .patch("switches", .faults),
                "changeSwitches",
                "Set switches, until a reset",
                body: ControlBody.switches,
                answers: .ok("The switches.", ControlSchemas.switches.reference)
            ) { .found(try await $0.emulator.changeSwitches($0.object)) },
            ControlRoute(
                .delete("switches", .faults),
                "resetSwitches",
                "Reset every switch to the seed's value",
                answers: .ok("The switches.", ControlSchemas.switches.reference)
            ) { .found(try await $0.emulator.resetSwitches()) },
            ControlRoute(
                .get("faults", .faults),
                "listFaults",
                "List the pending faults",
                answers: .ok(
                    "The faults.",
                    .required("faults", .list(of: ControlSchemas.fault.reference))
                )
            ) { .found(["faults": .array(await $0.emulator.faults().map { .object($0) })]) },
            ControlRoute(
                .post("faults", .faults),
                "addFault",
                "Make an endpoint fail for a number of requests",
                body: ControlBody.fault.restricted(by: ControlRules.fault),
                answers: .created("The fault.", ControlSchemas.fault.reference),
                refusals: [.conflict]
            ) { .made(try await $0.emulator.addFault($0.object)) },
            ControlRoute(
                .delete("faults", .faults),
                "clearFaults",
                "Delete all faults",
                done: "All faults are deleted."
            ) { await $0.emulator.clearFaults() },
            ControlRoute(
                .delete("faults/{id}", .faults),
                "removeFault",
                "Delete a fault",
                done: "The fault is deleted."
            ) { try await $0.emulator.removeFault(id: $0.parameter("id")) },
        ]
    }

    private static let clockBody = JSONSchema.object(
        [
            .optional("advance_seconds", clockSeconds.orNull),
            .optional(
                "now",
                JSONSchema.text("ISO 8601, or seconds since 1970.", format: "date-time")
                    .restricted(by: ["type": ["string", "number", "null"]])
            ),
        ],
        isClosed: true
    ).restricted(by: ControlRules.one(of: "advance_seconds", "now"))
    private static let clockSeconds = JSONSchema.number.restricted(by: [
        "minimum": .number(-ControlBody.maximumOffsetSeconds),
        "maximum": .number(ControlBody.maximumOffsetSeconds),
    ])
}
