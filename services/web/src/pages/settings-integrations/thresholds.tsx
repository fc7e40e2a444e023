import type { AccountSettingsAnswer } from "@cardvault/contract";
import { Button, NumberInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { fieldErrorsOf } from "../../app/problem.ts";
import { queryClient, trpc } from "../../app/trpc.ts";
import { digitsOf } from "../../parts/money.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { Section } from "../../parts/section.tsx";

/** From this confidence on an identification may be applied without a person; an account may raise it. */
const lowestPercent = 85;
/** Shares are kept to a thousandth: 0.855 is 85.5 %. */
const thousandths = 1_000;

const percentOf = (share: number): number => Math.round(share * thousandths) / 10;

/** Which identifications a person looks at before they count. */
export function Thresholds(props: {
  settings: AccountSettingsAnswer;
  currency: string;
  isOwner: boolean;
}) {
  const { settings, currency, isOwner } = props;
  const digits = digitsOf(currency);
  const limit = settings.high_value_limit;
  const form = useForm<{ review_threshold: number | string; high_value_limit: number | string }>({
    initialValues: {
      review_threshold: percentOf(settings.review_threshold),
      high_value_limit: limit === null ? "" : limit.amount / 10 ** digits,
    },
    validate: {
      review_threshold: (percent) =>
        typeof percent === "number" && percent >= lowestPercent && percent <= 100
          ? null
          : `Between ${lowestPercent} and 100 %`,
    },
  });
  const save = useMutation(
    trpc.accounts.settings.update.mutationOptions({
      onSuccess(after) {
        queryClient.setQueryData(trpc.accounts.settings.get.queryKey(), after);
        form.resetDirty();
        notifications.show({ message: "The next identifications go by these limits." });
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return (
    <Section
      id="thresholds"
      title="When a person is asked"
      lead={
        <>
          What is below, or worth more, waits in <Link to="/review">review</Link> with its reason.
        </>
      }
    >
      <form
        className="form-row"
        onSubmit={form.onSubmit(({ review_threshold: percent, high_value_limit: value }) =>
          save.mutate({
            review_threshold: Math.round(Number(percent) * 10) / thousandths,
            high_value_limit:
              value === "" ? null : { amount: Math.round(Number(value) * 10 ** digits), currency },
          }),
        )}
        noValidate
      >
        <NumberInput
          label="Identification below"
          description={`At least ${lowestPercent} %`}
          w={180}
          min={lowestPercent}
          max={100}
          step={1}
          decimalScale={1}
          clampBehavior="none"
          suffix=" %"
          readOnly={!isOwner}
          {...form.getInputProps("review_threshold")}
        />
        <NumberInput
          label={`Card worth more than (${currency})`}
          description="Empty: whatever it is worth"
          w={220}
          min={0}
          decimalScale={digits}
          fixedDecimalScale
          allowNegative={false}
          thousandSeparator=","
          readOnly={!isOwner}
          {...form.getInputProps("high_value_limit")}
        />
        {isOwner ? (
          <Button
            type="submit"
            variant="default"
            disabled={!form.isDirty()}
            loading={save.isPending}
          >
            Save limits
          </Button>
        ) : null}
        <ProblemNote error={save.error} />
      </form>
    </Section>
  );
}
