import { Migration } from "@mikro-orm/migrations";

/** Which request an event and a job go back to, and where its trace goes on. */
export class Migration0020Causes extends Migration {
  override up(): void {
    this.addSql(causes);
  }
}

// No index: an id of a request has the time in it, and so have the ids of what it caused.
const causes = `
alter table webhook_event add column request_id uuid, add column traceparent text;
alter table job add column request_id uuid, add column traceparent text;
`;
