import type { ImportRow } from "@cardvault/contract";
import { Link } from "@tanstack/react-router";
import { formatMoney } from "../../parts/money.ts";
import { conditionWords } from "../../parts/words.ts";
import { matchWords } from "./list-words.ts";

/** Rows as they were read, with what is wrong with them. */
export function RowTable({ rows }: { rows: readonly ImportRow[] }) {
  return (
    <div className="table-scroll">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col" className="number">
              Row
            </th>
            <th scope="col">Card</th>
            <th scope="col">Condition</th>
            <th scope="col" className="number">
              Copies
            </th>
            <th scope="col" className="number">
              Price
            </th>
            <th scope="col">What there is to say</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.row} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row }: { row: ImportRow }) {
  const { fields } = row;
  const title = textOf(fields["title"]);
  const about = ["set", "number", "variant", "sku", "location"].flatMap(
    (name) => textOf(fields[name]) ?? [],
  );
  const quantity = fields["quantity"];
  return (
    <tr>
      <td className="narrow number">{row.row.toLocaleString()}</td>
      <td className="fill">
        <span className="clip">{title ?? <span className="cell-sub">No title</span>}</span>
        <span className="cell-sub clip">{about.join(" · ")}</span>
      </td>
      <td className="narrow">{conditionOf(fields)}</td>
      <td className="narrow number">{typeof quantity === "number" ? quantity : null}</td>
      <td className="narrow number">{priceOf(fields["asking_price"])}</td>
      <td className="list-remark">
        <Remark row={row} />
      </td>
    </tr>
  );
}

function Remark({ row }: { row: ImportRow }) {
  return (
    <>
      {row.problems.map(({ column, message }) => (
        <span key={`${column} ${message}`} className="list-problem">
          {column === null ? "" : <strong>{column}: </strong>}
          {message}
        </span>
      ))}
      {row.same_as_row === null ? null : (
        <span className="cell-sub">Says the same as row {row.same_as_row}</span>
      )}
      {row.card_id === null ? null : (
        <Link to="/inventory/$id" params={{ id: row.card_id }}>
          {row.matched_by === null
            ? "The card"
            : row.matched_by === "card_id"
              ? "The card, by its id"
              : `The card, by ${matchWords[row.matched_by].toLowerCase().replace("sku", "SKU")}`}
        </Link>
      )}
    </>
  );
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function conditionOf(fields: ImportRow["fields"]): string | null {
  const grading = fields["grading"];
  if (typeof grading === "object" && grading !== null) {
    const { grader, grade } = grading as { grader?: unknown; grade?: unknown };
    return [textOf(grader), textOf(grade)].filter((part) => part !== null).join(" ");
  }
  const condition = textOf(fields["condition"]);
  return condition === null ? null : (conditionWords[condition] ?? condition);
}

function priceOf(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const { amount, currency } = value as { amount?: unknown; currency?: unknown };
  if (typeof amount !== "number" || typeof currency !== "string") return null;
  return formatMoney({ amount, currency });
}
