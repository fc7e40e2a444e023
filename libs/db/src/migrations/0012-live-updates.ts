import { Migration } from "@mikro-orm/migrations";

/** An account's jobs by their last change, for those who follow them. */
export class Migration0012LiveUpdates extends Migration {
  override up(): void {
    this.addSql("create index job_updated_at_index on job (account_id, updated_at, id)");
  }
}
