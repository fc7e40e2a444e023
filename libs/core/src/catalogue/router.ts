import { router } from "../procedures.ts";
import { searchCatalogueProcedure } from "./search-catalogue.ts";

export const catalogueRouter = router({ search: searchCatalogueProcedure });
