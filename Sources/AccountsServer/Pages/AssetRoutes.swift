import HTTPTypes
import Hummingbird

/// Serves what the pages load; a name never changes its content, so browsers may keep it.
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
