/// Tables in which an app's own migrator records its work; they are not part of a schema, and have no records of the
/// app.
///
/// A table must have the migrator's name and its columns, so that a table of the app with such a name is not mistaken
/// for one.
extension TableShape {
    /// Whether a known migrator made this table, or keeps its lock in it.
    package var isMigratorsOwn: Bool {
        Self.migratorTables.contains { known in
            known.name.isSameName(as: name) && known.columns.allSatisfy { column(named: $0) != nil }
                && (!known.isExact || known.columns.count == columns.count)
        }
    }

    private struct MigratorTable {
        let name: String
        let columns: [String]
        /// Whether the table has no other columns; for names that apps also use.
        let isExact: Bool

        init(_ name: String, _ columns: String..., isExact: Bool = false) {
            (self.name, self.columns, self.isExact) = (name, columns, isExact)
        }
    }

    /// The columns are from the documentation or the source of each migrator.
    private static let migratorTables = [
        // Apple platforms, Android, React Native: GRDB, Room, Android's own, Drizzle.
        MigratorTable("grdb_migrations", "identifier", isExact: true),
        MigratorTable("room_master_table", "id", "identity_hash"),
        MigratorTable("android_metadata", "locale", isExact: true),
        MigratorTable("__drizzle_migrations", "hash", "created_at"),
        // Rust: SQLx, Diesel, Refinery, SeaORM.
        MigratorTable("_sqlx_migrations", "version", "checksum"),
        MigratorTable("__diesel_schema_migrations", "version", "run_on"),
        MigratorTable("refinery_schema_history", "version", "checksum"),
        MigratorTable("seaql_migrations", "version", "applied_at"),
        // JavaScript: Knex, Prisma, Sequelize, TypeORM, MikroORM, Kysely, Wrangler.
        MigratorTable("knex_migrations", "name", "batch"),
        MigratorTable("knex_migrations_lock", "is_locked"),
        MigratorTable("_prisma_migrations", "migration_name", "checksum"),
        MigratorTable("SequelizeMeta", "name", isExact: true),
        MigratorTable("migrations", "id", "timestamp", "name", isExact: true),
        MigratorTable("typeorm_metadata", "type", "name", "value"),
        MigratorTable("mikro_orm_migrations", "name", "executed_at"),
        MigratorTable("kysely_migration", "name", "timestamp", isExact: true),
        MigratorTable("kysely_migration_lock", "id", "is_locked", isExact: true),
        MigratorTable("d1_migrations", "name", "applied_at"),
        // .NET, Java, Go, Python, Ruby, PHP: EF Core, Flyway, Liquibase, golang-migrate, Goose, Atlas, Alembic, Django, Rails, Laravel.
        MigratorTable("__EFMigrationsHistory", "MigrationId", "ProductVersion"),
        MigratorTable("__EFMigrationsLock", "Id", "Timestamp", isExact: true),
        MigratorTable("flyway_schema_history", "installed_rank", "checksum"),
        MigratorTable("DATABASECHANGELOG", "ID", "AUTHOR", "FILENAME"),
        MigratorTable("DATABASECHANGELOGLOCK", "ID", "LOCKED"),
        MigratorTable("schema_migrations", "version"),
        MigratorTable("goose_db_version", "version_id", "is_applied"),
        MigratorTable("atlas_schema_revisions", "version", "hash"),
        MigratorTable("alembic_version", "version_num", isExact: true),
        MigratorTable("django_migrations", "app", "name", "applied"),
        MigratorTable("ar_internal_metadata", "key", "value"),
        MigratorTable("migrations", "id", "migration", "batch", isExact: true),
    ]
}
