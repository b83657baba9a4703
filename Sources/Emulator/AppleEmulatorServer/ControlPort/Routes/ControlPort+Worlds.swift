import AppleEmulator
import AppleIdentity
import Foundation
import Hummingbird
import OpenAPIDescription

/// The routes that create, list and delete named worlds.
extension ControlPort {
    var worldRoutes: [ControlRoute] {
        [
            ControlRoute(
                .post("worlds", .state),
                "makeWorld",
                "Create a world, an isolated copy of the seed under a path of both ports",
                fields: [
                    .optional(
                        "world",
                        JSONSchema.text("A random one by default.", pattern: WorldName.pattern)
                            .orNull
                    )
                ],
                answers: .created("It was created.", Self.place),
                .ok("It already existed.", Self.place),
                refusals: [.conflict, .starting],
                perform: makeWorld
            ),
            ControlRoute(
                .get("worlds", .state),
                "listWorlds",
                "List the worlds",
                answers: .ok(
                    "Sorted by name.",
                    .required(
                        "worlds",
                        .list(
                            of: .object([
                                .required("world", .text()), .required("path", .text()),
                                .required("made_at", .time), .required("used_at", .time),
                            ])
                        )
                    )
                )
            ) { _ in .found(["worlds": .list(worlds.all.map(\.object))]) },
            ControlRoute(
                .delete("worlds/{name}", .state),
                "removeWorld",
                "Delete a world with all its data",
                answers: .done("The world is deleted."),
                perform: removeWorld
            ),
        ]
    }

    private static let place = JSONSchema.object([
        .required("world", .text()), .required("path", .text("The prefix of its paths.")),
        .required("apple_url", .text("The base URL of Apple's endpoints.")),
        .required("control_url", .text("The base URL of its control API.")),
        .optional("smtp", .text("The mail relay, as host and port.")),
        .required("smtp_user", .text("The user name of mail clients, with any password.")),
    ])

    @Sendable private func makeWorld(_ request: ControlRequest) async throws -> ControlAnswer {
        let name = try WorldName(request.object)
        guard let addresses = addresses() else { throw ControlProblem.starting }
        let (world, isNew) = try await worlds.make(name)
        let object = world.object(at: addresses.reached(from: request.authority))
        return isNew ? .made(object) : .found(object)
    }

    @Sendable private func removeWorld(_ request: ControlRequest) async throws -> ControlAnswer {
        guard let name = WorldName(try request.parameter("name")), worlds.remove(name) else {
            throw ControlProblem.unknownWorld
        }
        return .done
    }
}

extension World {
    private var nameText: JSONValue { .string(name?.text ?? "") }

    fileprivate var object: JSONObject {
        [
            "world": nameText, "path": .string(path),
            "made_at": .string(madeAt.formatted(.iso8601)),
            "used_at": .string(usedAt.formatted(.iso8601)),
        ]
    }

    fileprivate func object(at addresses: EmulatorAddresses) -> JSONObject {
        let own = addresses.adding(path)
        var object: JSONObject = [
            "world": nameText, "path": .string(path),
            "apple_url": .string(own.apple.absoluteString),
            "control_url": .string(own.control.absoluteString), "smtp_user": nameText,
        ]
        object["smtp"] = own.smtp.map { .string($0) }
        return object
    }
}

extension EmulatorAddresses {
    /// The addresses under the name by which a client reaches the control port.
    ///
    /// A port that listens everywhere is known to the emulator by its loopback address alone.
    fileprivate func reached(from authority: String) -> EmulatorAddresses {
        guard let control = URL(string: "http://" + authority) else { return self }
        let host = String(Loopback.host(of: authority))
        var addresses = self
        addresses.control = control
        addresses.apple = URL(string: "http://" + place(apple.authority, host)) ?? apple
        addresses.smtp = smtp.map { place($0, host) }
        return addresses
    }

    /// The place, at the host if it is a loopback address.
    private func place(_ place: String, _ host: String) -> String {
        guard Loopback.contains(place), let port = place.split(separator: ":").last else {
            return place
        }
        return "\(host):\(port)"
    }
}

extension URL {
    fileprivate var authority: String { String(absoluteString.trimmingPrefix("http://")) }
}
