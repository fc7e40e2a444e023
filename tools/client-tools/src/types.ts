import { appRouter } from "@cardvault/core";
import { openApiDocument } from "@cardvault/rest";
import openapiTypescript, { astToString } from "openapi-typescript";

const head = `// Made from the API description: npm run client -- types
`;

/** The TypeScript of the API description, as the client has it before it is formatted. */
export async function clientTypes(): Promise<string> {
  const document = openApiDocument({ router: appRouter, publicUrl: "https://vault.example" });
  const drawn = await openapiTypescript(JSON.parse(JSON.stringify(document)) as never, {
    immutable: true,
    defaultNonNullable: false,
    exportType: true,
  });
  return `${head}\n${astToString(drawn)}`;
}
