import { router } from "../procedures.ts";
import { listListingsProcedure } from "./list-listings.ts";

export const listingsRouter = router({ list: listListingsProcedure });
