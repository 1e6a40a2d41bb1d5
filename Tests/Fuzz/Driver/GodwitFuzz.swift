import CFuzzClock
import GodwitFuzzTargets

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// libFuzzer's own main loop, <https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library>.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The target of this process; libFuzzer's callback can't carry it.
private let target = ProcessInfo.processInfo.environment["GODWIT_FUZZ_TARGET"].flatMap(FuzzTarget.init(rawValue:))

/// Runs one target under libFuzzer: `GODWIT_FUZZ_TARGET=binary-plist godwit-fuzz [libFuzzer's options] [CORPUS …]`.
@main
enum GodwitFuzz {
    static func main() {
        guard target != nil else {
            let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: " ")
            print("Set GODWIT_FUZZ_TARGET to one of: \(names)")
            return
        }
        godwit_fuzz_clock()
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        _ = runDriver(&count, &arguments) { start, count in
            do throws(FuzzFinding) {
                try target?.run(Array(UnsafeBufferPointer(start: start, count: count)))
            } catch {
                // Ends the process the way libFuzzer expects, so that it keeps the input.
                fatalError("finding in \(target?.rawValue ?? ""): \(error.reason)")
            }
            return 0
        }
    }
}
