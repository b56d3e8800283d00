-- Names as people count them: Grade 2 before Grade 10. Digits compare by the number that they make (kn), letters as in
-- a dictionary.
create collation natural_order (provider = icu, locale = 'en-u-kn-true');
