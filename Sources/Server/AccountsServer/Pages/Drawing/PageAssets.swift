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
    /// The logo on the pages, which is also their icon.
    let mark: Asset

    var all: [Asset] { [styleSheet, mark] }

    /// The height of Apple's button in CSS pixels: that of Apple's artwork, and a touch target.
    private static let appleButtonHeight = 44.0

    /// - Parameters:
    ///   - texts: the texts of all languages, always in the same order: replicas must give files the same names.
    ///   - brand: the team's logo and color.
    ///   - monogram: the SVG that stands for the logo of an app without one.
    init(texts: [PageText], brand: Brand, monogram: String?) {
        let buttons = texts.map { text in
            AppleButton.styleRule(
                title: text["signInWithApple"],
                language: text.language.tag,
                height: Self.appleButtonHeight
            )
        }
        let rules = brand.accent.styleRules + buttons.joined()
        styleSheet = Self.asset(
            "site",
            "css",
            "text/css; charset=utf-8",
            PackageResources.site_css + Array(rules.utf8)
        )
        let drawn = Array((monogram ?? SampleAppMark.svg).utf8)
        let format = brand.logo?.format ?? .svg
        mark = Self.asset(
            "mark",
            format.rawValue,
            format.contentType,
            brand.logo?.content ?? drawn
        )
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
            Route(.get, WebPath.assets) { _, context in
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
