-- Who was called without "+" or country code was stored as it was sent; now the same person has one number.
UPDATE "calls" SET "human_phone_number" = CASE WHEN length("human_phone_number") = 10 THEN '+1' ELSE '+' END || "human_phone_number" WHERE "human_phone_number" ~ '^[0-9]{10,12}$';
