import AppleIdentity
import Crypto
import Foundation
import HTMLPages
import HTTPTypes
import Hummingbird

/// The files that the pages load, each with a name that changes with its content.
struct PageAssets: Sendable {
    struct Asset: Sendable {
        let name: String
        let contentType: String
        let content: [UInt8]

        var path: String { "/assets/\(name)" }
    }

    let styleSheet: Asset
    let mark = asset("mark", "svg", "image/svg+xml; charset=utf-8", PackageResources.mark_svg)

    var all: [Asset] { [styleSheet, mark] }

    /// The height of Apple's button in CSS pixels: that of Apple's artwork, and a touch target.
    private static let appleButtonHeight = 44.0

    init(texts: [PageText]) {
        let buttons = texts.map { text in
            AppleButton.styleRule(
                title: text["signInWithApple"],
                language: text.language.tag,
                height: Self.appleButtonHeight
            )
        }
        let rules = PackageResources.site_css + Array(buttons.joined().utf8)
        styleSheet = Self.asset("site", "css", "text/css; charset=utf-8", rules)
    }

    private static func asset(
        _ name: String,
        _ suffix: String,
        _ contentType: String,
        _ content: [UInt8]
    ) -> Asset {
        let digest = Hexadecimal.encode(SHA256.hash(data: content).prefix(6))
        return Asset(
            name: "\(name)-\(digest).\(suffix)",
            contentType: contentType,
            content: content
        )
    }
}

/// Serves the files that the pages load; browsers may cache them.
struct AssetRoutes: Sendable {
    let assets: PageAssets

    var routes: [Route] {
        [
            Route(page: .get, WebPath.assets) { _, context in
                let name = context.parameters.get("file")
                guard let asset = assets.all.first(where: { $0.name == name }) else {
                    throw ServerError.notFound
                }
                return Response(
                    status: .ok,
                    headers: [
                        .contentType: asset.contentType,
                        .cacheControl: "public, max-age=31536000, immutable",
                    ],
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.content))
                )
            }
        ]
    }
}
