/// The C library with the shapes that it has on Apple platforms, as far as they differ from those of Linux and are used.
@_exported public import Glibc

extension stat {
    public var st_mtimespec: timespec { st_mtim }
    public var st_ctimespec: timespec { st_ctim }
}

extension sigaction {
    public struct Union { public var __sa_handler: (@convention(c) (Int32) -> Void)? }
    public var __sigaction_u: Union { Union(__sa_handler: nil) }
}

public let F_FULLFSYNC: Int32 = 51
public let RENAME_EXCL: Int32 = 4
public let RENAME_SWAP: Int32 = 2
public let SOCK_DGRAM: Int32 = 2
public let _CS_DARWIN_USER_TEMP_DIR: Int32 = 65537

public func renamex_np(_ from: UnsafePointer<CChar>?, _ to: UnsafePointer<CChar>?, _ flags: UInt32) -> Int32 { 0 }
public func fclonefileat(_ source: Int32, _ folder: Int32, _ target: UnsafePointer<CChar>?, _ flags: UInt32) -> Int32 { 0 }
public func confstr(_ name: Int32, _ path: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int { 0 }
@discardableResult
public func pthread_cond_timedwait_relative_np(
    _ condition: UnsafeMutablePointer<pthread_cond_t>?, _ mutex: UnsafeMutablePointer<pthread_mutex_t>?,
    _ time: UnsafePointer<timespec>?
) -> Int32 { 0 }

public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>?, _ attributes: UnsafePointer<pthread_attr_t>?,
    _ start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer?
) -> Int32 { 0 }
@discardableResult
public func pthread_join(_ thread: pthread_t, _ value: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Int32 { 0 }
@discardableResult
public func pthread_detach(_ thread: pthread_t) -> Int32 { 0 }

public struct DIR {}
public func opendir(_ path: UnsafePointer<CChar>?) -> UnsafeMutablePointer<DIR>? { nil }
public func fdopendir(_ descriptor: Int32) -> UnsafeMutablePointer<DIR>? { nil }
public func readdir(_ folder: UnsafeMutablePointer<DIR>?) -> UnsafeMutablePointer<dirent>? { nil }
public func dirfd(_ folder: UnsafeMutablePointer<DIR>?) -> Int32 { 0 }
@discardableResult
public func closedir(_ folder: UnsafeMutablePointer<DIR>?) -> Int32 { 0 }

public func pthread_self() -> pthread_t { fatalError("only for types") }
public func pthread_equal(_ one: pthread_t?, _ other: pthread_t?) -> Int32 { 0 }
