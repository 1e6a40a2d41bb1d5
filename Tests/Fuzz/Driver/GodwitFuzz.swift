import Libc
import CFuzzClock
import GodwitFuzzTargets

/// libFuzzer's own main loop, <https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library>.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The target of this process; libFuzzer's callback can't carry it.
private let target = getenv("GODWIT_FUZZ_TARGET").flatMap { FuzzTarget(rawValue: String(cString: $0)) }

/// The most memory the process may ever have had, in MiB: the inputs are small, so what they may cost is small.
private let mostMemory = 160

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
            let memory = peakMemory()
            if memory > mostMemory {
                fatalError("finding in \(target?.rawValue ?? ""): it took \(memory) MiB of memory")
            }
            return 0
        }
    }
}

/// The peak of the process so far, in MiB; libFuzzer itself asks once a second, and can't say which input it was.
private func peakMemory() -> Int {
    var usage = rusage()
    // 0 is RUSAGE_SELF, whose type differs between C libraries.
    guard getrusage(0, &usage) == 0 else { return 0 }
    // Kilobytes on Linux, bytes on Apple's systems.
    #if canImport(Darwin)
        return usage.ru_maxrss >> 20
    #else
        return usage.ru_maxrss >> 10
    #endif
}
