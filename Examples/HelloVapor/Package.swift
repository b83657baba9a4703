// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "HelloVapor",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sign-in-with-apple", path: "../..", traits: ["Vapor", "Testing"]),
        .package(url: "https://github.com/vapor/vapor", from: "4.122.0"),
        .package(url: "https://github.com/vapor/fluent", from: "4.13.0"),
        .package(url: "https://github.com/vapor/fluent-sqlite-driver", from: "4.8.1"),
        .package(url: "https://github.com/vapor/leaf", from: "4.5.1"),
    ],
    targets: [
        .executableTarget(
            name: "HelloVapor",
            dependencies: [
                .product(name: "Fluent", package: "fluent"),
                .product(name: "FluentSQLiteDriver", package: "fluent-sqlite-driver"),
                .product(name: "Leaf", package: "leaf"),
                .product(name: "SignInWithAppleVapor", package: "sign-in-with-apple"),
                .product(name: "Vapor", package: "vapor"),
            ]
        ),
        .testTarget(
            name: "HelloVaporTests",
            dependencies: [
                "HelloVapor",
                .product(name: "FluentSQLiteDriver", package: "fluent-sqlite-driver"),
                .product(name: "AppleEmulatorTesting", package: "sign-in-with-apple"),
                .product(name: "VaporTesting", package: "vapor"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
